import { expect, test } from 'vitest'
import { start } from '../cli/support/cli'
import { openService } from '../support/service'

/** Runs a program on the mailbox of a service, as whoever installed the package does. */
async function startProgram(real: Awaited<ReturnType<typeof openService>>, body: string) {
  const { url } = await real.listen()
  const program = `
    import { Mailbox } from 'restante'
    const mailbox = await Mailbox.open({ url: ${JSON.stringify(url)}, apiKey: ${JSON.stringify(real.home.apiKey)} })
    ${body}`
  return start(process.execPath, ['--input-type=module', '--eval', program])
}

const sentBy = async ({ call }: Awaited<ReturnType<typeof openService>>) =>
  (await call('GET', '/messages?direction=outbound')).body.messages.map(
    ({ preview }: { preview: string }) => preview,
  )

test('S5: a job that replies by id and dies before it is done sends one mail when it runs again', async () => {
  await using real = await openService()
  await real.mail({})
  const [{ id }] = (await real.call('GET', '/messages')).body.messages
  const job = (text: string, then: string) =>
    startProgram(
      real,
      `const message = await mailbox.messages.get('${id}')
      const sent = await message.reply({ text: '${text}', key: 'job-7' }).catch(({ code }) => ({ code }))
      console.log(JSON.stringify(sent))
      ${then}`,
    )
  const first = await job('Yes', `process.kill(process.pid, 'SIGKILL')`)
  expect((await first.ended).code).toBe(null)
  const second = await (await job('Yes', 'await mailbox.close()')).ended
  expect(JSON.parse(second.out)).toMatchObject({ idempotent: true })
  const third = await (await job('No', 'await mailbox.close()')).ended
  expect(JSON.parse(third.out)).toEqual({ code: 'already_replied' })
  expect(await sentBy(real)).toEqual(['Yes'])
})

test('S5: a tool whose process is killed after it drafted a held forward drafts it once', async () => {
  await using real = await openService()
  await real.mail({})
  const desk = (then: string) =>
    startProgram(
      real,
      `const { createToolbox } = await import('restante/tools')
      mailbox.run(async (message) => {
        const { tools } = createToolbox(mailbox, { message })
        const input = { message: message.handle, to: 'sales@example.com', text: 'Try ' + message.attempt }
        const { status, draft } = await tools.forward.call(input)
        console.log(JSON.stringify({ attempt: message.attempt, status, draft }))
        ${then}
      }, { consumer: 'desk' })`,
    )
  const first = await desk(`process.kill(process.pid, 'SIGKILL')`)
  const { out: before } = await first.ended
  const second = await desk(`process.exit()`)
  const { out: after } = await second.ended
  const [one, other] = [JSON.parse(before), JSON.parse(after)]
  expect(one).toMatchObject({ attempt: 1, status: 'waiting_for_approval' })
  expect(other).toEqual({ ...one, attempt: 2 })
  const { drafts } = (await real.call('GET', '/drafts')).body
  expect(drafts).toHaveLength(1)
})

test('a consumer that is renamed after its process was killed answers what nobody answered, and not the history', async () => {
  await using real = await openService()
  for (const subject of ['one', 'two', 'three']) await real.mail({ subject })
  const bot = (consumer: string, enough: number) =>
    startProgram(
      real,
      `let count = 0
      const run = mailbox.run(async (message) => {
        await message.reply('${consumer}: ' + message.subject)
        if (++count === ${enough}) console.log('enough')
      }, { consumer: '${consumer}', concurrency: 1 })
      await run.done`,
    )
  const old = await bot('old-name', 3)
  await old.out(/enough/)
  await old.kill('SIGKILL')
  await real.mail({ subject: 'while nobody ran' })
  const renamed = await bot('new-name', 2)
  await expect.poll(() => sentBy(real)).toContain('new-name: while nobody ran')
  await real.mail({ subject: 'later' })
  await renamed.out(/enough/)
  await renamed.kill('SIGKILL')
  expect((await sentBy(real)).toSorted()).toEqual([
    ...['new-name: later', 'new-name: while nobody ran'],
    ...['old-name: one', 'old-name: three', 'old-name: two'],
  ])
})

test('an agent that is killed after it accepted an invitation, before it was acknowledged, sends one answer', async () => {
  await using real = await openService()
  const invite = [
    ...['BEGIN:VCALENDAR', 'PRODID:-//x//EN', 'VERSION:2.0', 'METHOD:REQUEST', 'BEGIN:VEVENT', 'UID:one'],
    ...['DTSTAMP:20260101T000000Z', 'ORGANIZER:mailto:ana@example.com', 'DTSTART:20300101T100000Z'],
    ...['SUMMARY:Talk', 'END:VEVENT', 'END:VCALENDAR', ''],
  ].join('\r\n')
  await real.mail({ alternatives: [{ contentType: 'text/calendar; method=REQUEST', content: invite }] })
  const calendar = (then: string) =>
    startProgram(
      real,
      `mailbox.run(async (message) => {
        const { idempotent } = await message.invitation.accept()
        console.log(JSON.stringify({ attempt: message.attempt, idempotent }))
        ${then}
      }, { consumer: 'calendar' })`,
    )
  const { out: before } = await (await calendar(`process.kill(process.pid, 'SIGKILL')`)).ended
  const { out: after } = await (await calendar('process.exit()')).ended
  expect([JSON.parse(before), JSON.parse(after)]).toEqual([
    { attempt: 1, idempotent: false },
    { attempt: 2, idempotent: true },
  ])
  const { messages } = (await real.call('GET', '/messages?direction=outbound')).body
  expect(messages.map(({ subject }: { subject: string }) => subject)).toEqual(['Accepted: Talk'])
})
