import { join } from 'node:path'
import { Mailbox } from 'restante'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/protocol/time'
import { backUp } from '../../../src/service/host/backup'
import { restore } from '../../../src/service/host/backups'
import { openService, type QuietService } from '../../support/service'
import { temporaryFolder } from '../../support/temporary-folder'

const hurried = {
  ...systemClock,
  after: (delayMs: number, callback: () => void) =>
    systemClock.after(delayMs < 5_000 ? Math.min(5, delayMs) : delayMs, callback),
}

const write = async (service: QuietService, word: string, count: number) => {
  for (let number = 1; number <= count; number += 1) await service.mail({ subject: `${word} ${number}` })
}

/** An address whose service was restored from a backup, and has grown past what it had lost. */
async function openRestored(source: 'socket' | 'poll' | 'webhook') {
  const root = await temporaryFolder()
  const [data, backup, restored] = ['data', 'backup', 'restored'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  let current = await openService({ data })
  onTestFinished(() => current[Symbol.asyncDispose]())
  const mailbox = await Mailbox.open({
    clock: hurried,
    source,
    service: {
      home: () => current.service.home(),
      fetch: (request) => current.service.fetch(request),
      socket: (options) => current.service.socket(options),
    },
  })
  onTestFinished(() => mailbox.close())
  await write(current, 'kept', 2)
  await backUp(data, backup)
  await write(current, 'lost', 5)
  const lost = await current.call('GET', '/events?after=now')
  return {
    mailbox,
    headBefore: lost.body.head as number,
    async restore() {
      await current[Symbol.asyncDispose]()
      await restore(backup, restored)
      current = await openService({ data: restored })
      await write(current, 'new', 15)
      return current
    },
  }
}

test.each(['socket', 'poll'] as const)(
  'a restored log that has grown past the cursor is told apart, and nothing of it is missed, by %s',
  async (source) => {
    const { mailbox, headBefore, restore } = await openRestored(source)
    const errors: string[] = []
    mailbox.on('error', ({ code }) => errors.push(code))
    const loop = mailbox.incoming()
    const told: string[] = []
    void (async () => {
      for await (const { subject } of loop) told.push(subject)
    })()
    await expect.poll(() => mailbox.state.cursor).toBe(headBefore)
    const lost = (await mailbox.messages.list()).items.find(({ subject }) => subject === 'lost 1')!
    const service = await restore()
    const all = Array.from({ length: 15 }, (_, index) => `new ${index + 1}`)
    await expect.poll(() => told.filter((subject) => subject.startsWith('new'))).toEqual(all)
    expect(errors).toContain('cursor_expired')
    const { head } = (await service.call('GET', '/events?after=now')).body
    expect(head).toBeGreaterThan(headBefore)
    await expect.poll(() => mailbox.state).toMatchObject({ status: 'live', cursor: head })
    await expect(mailbox.messages.get(lost.id)).rejects.toMatchObject({ code: 'not_found' })
  },
)

test('a wait goes on in a restored log, in this process and by its token', async () => {
  const { mailbox, headBefore, restore } = await openRestored('socket')
  await expect.poll(() => mailbox.state.cursor).toBe(headBefore)
  const wait = mailbox.expect({ subject: 'new 2', unverified: true })
  const { token } = wait
  await restore()
  expect((await wait).subject).toBe('new 2')
  expect((await mailbox.resumeWait(token!)).subject).toBe('new 2')
})
