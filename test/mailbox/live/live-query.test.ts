import { expect, test } from 'vitest'
import type { Message } from '../../../src/mailbox/records/message'
import { settle, until } from '../support/fake-clock'
import type { FakeService } from '../support/fake-service'
import { openFake } from '../support/open'

const ids = (messages: readonly Message[] | undefined) => messages?.map(({ id }) => id)
const pages = (service: FakeService) =>
  service.requests.filter(({ path, method }) => method === 'GET' && path === '/v1/messages').length

test('a live query yields the last result after each change, and reads its rows once', async () => {
  const { mailbox, service } = await openFake()
  service.receive()
  const messages = mailbox.messages.watch({ limit: 2 })
  expect(messages.getSnapshot()).toBeUndefined()
  expect(ids((await messages.next()).value)).toEqual(['msg_1'])
  for (let count = 0; count < 3; count += 1) service.receive()
  await settle()
  expect(ids((await messages.next()).value)).toEqual(['msg_4', 'msg_3'])
  const waiting = messages.next()
  service.receive()
  expect(ids((await waiting).value)).toEqual(['msg_5', 'msg_4'])
  expect(pages(service)).toBe(1)
  await mailbox.close()
})

test('a loop over results ends with the mailbox, by break and by its signal, and is then no longer watched', async () => {
  const { mailbox, service } = await openFake()
  service.receive()
  for await (const messages of mailbox.messages.watch()) {
    expect(ids(messages)).toEqual(['msg_1'])
    break
  }
  service.receive()
  await settle()
  expect(pages(service)).toBe(1)
  const controller = new AbortController()
  const watching = mailbox.messages.watch({ signal: controller.signal })
  await watching.next()
  const next = watching.next()
  controller.abort('enough')
  await expect(next).rejects.toBe('enough')
  expect(await watching.next()).toEqual({ done: true, value: undefined })
  const last = mailbox.messages.watch()
  await last.next()
  const closing = last.next()
  await mailbox.close()
  expect(await closing).toEqual({ done: true, value: undefined })
  expect(await mailbox.messages.watch().next()).toEqual({ done: true, value: undefined })
})

test('getSnapshot gives the same array until something in it changes, as useSyncExternalStore needs', async () => {
  const { mailbox, service, seen } = await openFake()
  service.receive()
  const { subscribe, getSnapshot } = mailbox.messages.watch({ limit: 2 })
  let calls = 0
  const stop = subscribe(() => {
    calls += 1
  })
  await until(() => calls === 1)
  const first = getSnapshot()
  service.touchThread()
  service.append('label.created', { id: 'lbl_9', name: 'x', system: false, seq: 3 }, null)
  await until(() => seen.length >= 2)
  expect(getSnapshot()).toBe(first)
  service.receive()
  await until(() => calls === 2)
  expect(getSnapshot()?.[1]).toBe(first?.[0])
  stop()
  service.receive()
  await settle()
  expect(calls).toBe(2)
  expect(ids(getSnapshot())).toEqual(['msg_4', 'msg_1'])
  await mailbox.close()
})

test('a listener of a live query that throws is reported, and disturbs no other', async () => {
  const { mailbox, service, errors } = await openFake()
  service.receive()
  const messages = mailbox.messages.watch()
  messages.subscribe(() => {
    throw new Error('mine')
  })
  expect(ids((await messages.next()).value)).toEqual(['msg_1'])
  expect(errors).toEqual(['listener_failed'])
  await mailbox.close()
})

test('S2: a page that is older or newer than the log meanwhile is shown only when the log has caught up', async () => {
  const { mailbox, service } = await openFake()
  service.receive()
  let held: (() => void) | undefined
  service.override = async ({ path }) => {
    if (path !== '/v1/messages') return undefined
    const answer = Response.json({
      messages: [...service.messages.values()].reverse(),
      mode_used: 'keyword',
      next_cursor: null,
    })
    await new Promise<void>((resolve) => {
      held = resolve
    })
    return answer
  }
  const messages = mailbox.messages.watch({ limit: 3 })
  const first = messages.next()
  await until(() => held !== undefined)
  service.receive()
  service.sockets[0]?.faults.push('drop')
  service.receive()
  held?.()
  expect(ids((await first).value)).toEqual(['msg_3', 'msg_2', 'msg_1'])
  expect(mailbox.state).toMatchObject({ status: 'live', cursor: 3 })
  await mailbox.close()
})

test('S9: after a gap in the log the rows are read anew', async () => {
  const { mailbox, service, clock } = await openFake()
  service.receive()
  const messages = mailbox.messages.watch({ limit: 1 })
  messages.subscribe(() => {})
  await until(() => messages.getSnapshot() !== undefined)
  service.cut()
  await settle()
  for (let count = 0; count < 5; count += 1) service.receive()
  service.lostUpTo = 4
  await clock.advance(1_000)
  await until(() => ids(messages.getSnapshot())?.[0] === 'msg_6')
  await mailbox.close()
})

test('while the service is away, the last result stays, and the rows are read when it is back', async () => {
  const { mailbox, service, clock, errors } = await openFake()
  service.receive()
  service.down = true
  const messages = mailbox.messages.watch()
  const first = messages.next()
  await clock.advance(20_000)
  service.down = false
  await clock.advance(30_000)
  expect(ids((await first).value)).toEqual(['msg_1'])
  expect(errors).toEqual([])
  await mailbox.close()
  expect(clock.pending).toBe(0)
})

test('a refusal of the service ends a live query with its words', async () => {
  const { mailbox, service, errors } = await openFake()
  service.override = ({ path }) =>
    path === '/v1/threads'
      ? Response.json({ error: 'account_expired', message: 'The account has expired.' }, { status: 403 })
      : undefined
  const threads = mailbox.threads.watch()
  await expect(threads.next()).rejects.toMatchObject({ code: 'account_expired' })
  expect(await threads.next()).toEqual({ done: true, value: undefined })
  expect(errors).toEqual(['account_expired'])
  expect(() => mailbox.threads.watch({ limit: 101 })).toThrow('1 to 100 rows')
  expect(() => mailbox.drafts.watch({ inbox: 'nobody' })).toThrow('there is no inbox nobody')
  await mailbox.close()
})

test('S7: a live query holds no more than its rows, and while it reads no more events than it can use', async () => {
  const { mailbox, service, seen } = await openFake()
  const messages = mailbox.messages.watch({ limit: 2 })
  let reads = 0
  const held: (() => void)[] = []
  service.override = async ({ path }) => {
    if (path !== '/v1/messages') return undefined
    reads += 1
    if (reads === 1) await new Promise<void>((resolve) => held.push(resolve))
    return undefined
  }
  const first = messages.next()
  await until(() => held.length === 1)
  for (let count = 0; count < 1_500; count += 1) service.receive()
  await until(() => seen.length === 1_500)
  expect(ids((await first).value)).toEqual(['msg_1500', 'msg_1499'])
  expect(reads).toBe(2)
  await mailbox.close()
})
