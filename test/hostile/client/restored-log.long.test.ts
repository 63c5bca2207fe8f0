import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Mailbox } from 'restante'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/protocol/time/clock'
import { backUp } from '../../../src/service/backup/backup'
import { restore } from '../../../src/service/backup/restore'
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
    const reported: string[] = []
    void (async () => {
      for await (const { subject } of loop) reported.push(subject)
    })()
    await expect.poll(() => mailbox.state.cursor).toBe(headBefore)
    const lost = (await mailbox.messages.list()).items.find(({ subject }) => subject === 'lost 1')!
    const service = await restore()
    const all = Array.from({ length: 15 }, (_, index) => `new ${index + 1}`)
    await expect.poll(() => reported.filter((subject) => subject.startsWith('new'))).toEqual(all)
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

test('event pages, `subscribed` and webhooks name the same epoch of the log, and a restore begins another', async () => {
  const seen: { epoch: string | undefined; id: string | undefined }[] = []
  const server = createServer((request, response) => {
    const header = (name: string) => request.headers[name] as string | undefined
    seen.push({ epoch: header('restante-log-epoch'), id: header('webhook-id') })
    request.resume().on('end', () => response.writeHead(204).end())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const root = await temporaryFolder()
  const [data, backup, restored] = ['data', 'backup', 'restored'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]

  /** What each transport names, after a mail. */
  async function epochsOf(service: QuietService) {
    const frames: { type: string; epoch?: string; epoch_from?: number }[] = []
    const socket = service.service.socket({ apiKey: service.home.apiKey })
    socket.onmessage = ({ data: text }) => frames.push(JSON.parse(String(text)))
    socket.onopen = () => socket.send(JSON.stringify({ type: 'subscribe', after: 'now' }))
    if (socket.readyState === 1) socket.onopen()
    const before = seen.length
    await service.mail({ subject: 'Bicycle' })
    await expect.poll(() => seen.length).toBeGreaterThan(before)
    await expect.poll(() => frames.find(({ type }) => type === 'subscribed')).toBeDefined()
    socket.close()
    const { body } = await service.call('GET', '/events?after=now')
    const subscribed = frames.find(({ type }) => type === 'subscribed')
    expect(subscribed).toMatchObject({ epoch: body.epoch, epoch_from: body.epoch_from })
    expect(seen.at(-1)).toEqual({ epoch: body.epoch, id: expect.stringMatching(/^evt_/) })
    return body as { epoch: string; epoch_from: number; head: number }
  }

  const first = await openService({ data, webhooksAllowPrivate: true })
  const { port } = server.address() as AddressInfo
  const webhook = { url: `http://127.0.0.1:${port}/`, events: ['message.received'] }
  expect((await first.call('POST', '/webhooks', { body: webhook })).status).toBe(201)
  const before = await epochsOf(first)
  expect(before.epoch).toBe('first')
  await backUp(data, backup)
  await first[Symbol.asyncDispose]()
  await restore(backup, restored)
  const second = await openService({ data: restored, webhooksAllowPrivate: true })
  onTestFinished(() => second[Symbol.asyncDispose]())
  const after = await epochsOf(second)
  expect(after.epoch).not.toBe(before.epoch)
  expect(after.epoch_from).toBeGreaterThanOrEqual(before.epoch_from)
  expect(after.epoch_from).toBeLessThan(after.head)
})
