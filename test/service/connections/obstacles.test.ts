import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { JumpClock } from '../../support/jump-clock'
import { startWillingSmtp } from '../../support/odd-mailbox'
import { type Refusal, type ScriptedImap, startScriptedImap } from '../../support/scripted-imap'
import { openService, type QuietService } from '../../support/service'
import { startScriptedMailbox } from './support/scripted-mailbox'

const poll = (what: () => unknown) => expect.poll(what, { interval: 20 })
const mailOf = (subject: string) =>
  `From: Ana <ana@example.net>\r\nTo: odd@company.test\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@example.net>\r\n\r\nHello\r\n`

/** After all jumps of the clock. */
const lateDate = '23-Nov-2096 08:00:00 +0000'

describe('mail that its server holds and does not give', () => {
  const clock = new JumpClock()
  let service: QuietService
  let smtp: Awaited<ReturnType<typeof startWillingSmtp>>
  let server: ScriptedImap
  let count = 0
  beforeAll(async () => {
    smtp = await startWillingSmtp()
    service = await openService({ connectionsAllowPrivate: true }, { clock })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await smtp.close()
  })
  afterEach(() => server[Symbol.asyncDispose]())

  const connect = async (since: string) => {
    const answer = await service.call('POST', '/connections', {
      body: {
        address: `odd-${count++}@company.test`,
        user: 'odd',
        imap: { host: '127.0.0.1', port: server.port, tls: 'off' },
        smtp: { host: '127.0.0.1', port: smtp.port, tls: 'off' },
        login: { type: 'password', password: 'odd' },
        since,
      },
    })
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    const { id, inbox_id } = answer.body
    const state = async () => (await service.call('GET', `/connections/${id}`)).body
    return {
      id,
      state,
      inboxOf: (one: { folders: { path: string }[] }) => one.folders.find(({ path }) => path === 'INBOX')!,
      /** The state, once the pause before the next attempt is over. */
      async later() {
        const seen = await state()
        if (seen.state === 'failing') clock.jump(Date.parse(seen.next_attempt_at) - clock.now() + 1)
        return seen
      },
      async subjects(): Promise<string[]> {
        const { body } = await service.call('GET', `/messages?inbox_id=${inbox_id}&limit=100`)
        return body.messages.map(({ subject }: { subject: string }) => subject).sort()
      },
      retry: () => service.call('POST', `/connections/${id}/retry`),
    }
  }
  const live = { state: 'live', live_since: expect.any(String) }

  it.each<Refusal>(['no', 'break', 'endless', 'garbage', 'nil'])(
    'is skipped in words after failures, and all else comes in: %s',
    async (refusal) => {
      server = await startScriptedImap()
      for (const subject of ['a', 'b', 'bad', 'c', 'd']) server.append(mailOf(subject))
      server.refusals.set(3, refusal)
      const mailbox = await connect('all')
      await poll(mailbox.later).toMatchObject({ state: 'failing', error: expect.stringContaining('UID') })
      await poll(mailbox.later).toMatchObject(live)
      expect(await mailbox.subjects()).toEqual(['a', 'b', 'c', 'd'])
      const seen = await mailbox.state()
      expect(mailbox.inboxOf(seen)).toMatchObject({
        uid: 5,
        waiting: 0,
        skipped: [{ uid: 3, reason: expect.stringContaining('UID 3 of INBOX') }],
      })
      expect(seen.error).toMatch(/^1 mail was skipped.*UID 3 of INBOX.*restante connect retry con_/)

      // Another attempt that fails tells so, and hinders nothing.
      expect((await mailbox.retry()).status).toBe(200)
      await poll(mailbox.later).toMatchObject(live)
      expect(mailbox.inboxOf(await mailbox.state())).toMatchObject({ skipped: [{ uid: 3 }] })

      server.refusals.clear()
      server.append(mailOf('e'))
      await mailbox.retry()
      await poll(mailbox.subjects).toEqual(['a', 'b', 'bad', 'c', 'd', 'e'])
      await poll(mailbox.later).toMatchObject({ ...live, error: null })
      expect(mailbox.inboxOf(await mailbox.state())).toMatchObject({ skipped: [] })
    },
    60_000,
  )

  it('is kept as far as it is given, with a flaw', async () => {
    server = await startScriptedImap()
    for (const subject of ['a', 'bad', 'c']) server.append(mailOf(subject))
    server.refusals.set(2, 'body')
    const mailbox = await connect('all')
    await poll(mailbox.later).toMatchObject({ ...live, error: null })
    expect(await mailbox.subjects()).toEqual(['a', 'bad', 'c'])
    const { body } = await service.call('GET', '/messages?subject=bad&limit=1')
    expect((await service.call('GET', `/messages/${body.messages[0].id}`)).body).toMatchObject({
      subject: 'bad',
      flaws: expect.arrayContaining(['incomplete']),
    })
  }, 60_000)

  it.each<Refusal>(['garbage', 'nil'])(
    'is not passed over as it comes: %s',
    async (refusal) => {
      server = await startScriptedImap({ internalDate: lateDate })
      server.append(mailOf('before'))
      const mailbox = await connect('now')
      await poll(mailbox.state).toMatchObject(live)
      server.refusals.set(2, refusal)
      server.append(mailOf('bad'))
      server.append(mailOf('good'))
      await poll(mailbox.later).toMatchObject({ ...live, error: expect.stringContaining('UID 2 of INBOX') })
      expect(await mailbox.subjects()).toEqual(['good'])
      server.refusals.clear()
      await mailbox.retry()
      await poll(mailbox.subjects).toEqual(['bad', 'good'])
    },
    60_000,
  )

  it('is not skipped while the server gives nothing at all', async () => {
    server = await startScriptedImap()
    for (const subject of ['a', 'b', 'c']) server.append(mailOf(subject))
    server.isDown = true
    const mailbox = await connect('all')
    const fetches = () => server.commands.filter((one) => one.startsWith('UID FETCH')).length
    await poll(async () => {
      await mailbox.later()
      return fetches() > 12
    }).toBe(true)
    const seen = await mailbox.state()
    expect(seen.live_since).toBe(null)
    expect(mailbox.inboxOf(seen)).toMatchObject({ uid: 0, skipped: [] })
    server.isDown = false
    await poll(mailbox.later).toMatchObject({ ...live, error: null })
    expect(await mailbox.subjects()).toEqual(['a', 'b', 'c'])
  }, 60_000)

  it('hinders no connection from being made, where it is older', async () => {
    server = await startScriptedImap({ internalDate: lateDate })
    for (const subject of ['a', 'bad', 'c']) server.append(mailOf(subject))
    server.refusals.set(2, 'no')
    const mailbox = await connect('now')
    await poll(mailbox.state).toMatchObject(live)
    server.append(mailOf('new'))
    await poll(mailbox.subjects).toEqual(['new'])
  })
})

it.each([
  ['says nothing of UIDNEXT', null],
  ['says what UIDNEXT once was', 1],
])('a server that %s is waited for, not asked over and over', async (_what, uidNext) => {
  await using mailbox = await startScriptedMailbox({ uidNext })
  mailbox.imap.append(mailOf('sent by hand'), 'Sent')
  await using service = await openService({ connectionsAllowPrivate: true })
  const answer = await service.call('POST', '/connections', { body: mailbox.body() })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  await poll(() => mailbox.imap.commands.at(-1)).toMatch(/^IDLE/)
  mailbox.imap.append(mailOf('in'))
  const subjects = async () => {
    const { body } = await service.call('GET', '/messages')
    return body.messages.map(({ subject }: { subject: string }) => subject)
  }
  await poll(subjects).toEqual(['in'])
  await poll(() => mailbox.imap.commands.at(-1)).toMatch(/^IDLE/)
})
