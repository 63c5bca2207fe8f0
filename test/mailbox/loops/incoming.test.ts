import { expect, test } from 'vitest'
import type { Message } from '../../../src/mailbox/records/message'
import { settle, until } from '../support/fake-clock'
import { refuse } from '../support/fake-routes'
import { openFake } from '../support/open'

const ids = (messages: readonly Message[]) => messages.map(({ id }) => id)
const take = async (messages: AsyncIterator<Message>, count: number) => {
  const taken: Message[] = []
  while (taken.length < count) {
    const { value, done } = await messages.next()
    if (done) break
    taken.push(value)
  }
  return taken
}

test('a loop starts from where incoming() was called, not from the first next()', async () => {
  const { mailbox, service, seen } = await openFake()
  service.receive()
  await until(() => seen.length === 1)
  const messages = mailbox.incoming()
  service.receive()
  service.touchThread()
  service.receive()
  await until(() => seen.length === 4)
  expect(ids(await take(messages, 2))).toEqual(['msg_2', 'msg_4'])
  await mailbox.close()
})

test('incoming() called within a listener starts after the event that the listener got', async () => {
  const { mailbox, service } = await openFake()
  const loops: AsyncIterator<Message>[] = []
  const stop = mailbox.on('message', () => {
    loops.push(mailbox.incoming())
    stop()
  })
  service.receive()
  await until(() => loops.length === 1)
  service.receive()
  expect(ids(await take(loops[0]!, 1))).toEqual(['msg_2'])
  await mailbox.close()
})

test('the mailbox itself can be iterated; break releases the loop', async () => {
  const { mailbox, service } = await openFake()
  setImmediate(() => service.receive({ subject: 'now' }))
  for await (const message of mailbox) {
    expect(message.subject).toBe('now')
    break
  }
  const messages = mailbox.incoming()
  await messages.return()
  service.receive()
  expect(await messages.next()).toEqual({ value: undefined, done: true })
  await mailbox.close()
})

test('an error in the body leaves the loop and is the caller’s own', async () => {
  const { mailbox, service } = await openFake()
  const messages = mailbox.incoming()
  service.receive()
  const loop = async () => {
    for await (const _message of messages) throw new Error('own')
  }
  await expect(loop()).rejects.toThrow('own')
  expect(messages.ended).toBe(true)
  await mailbox.close()
})

test('S7: a slow loop keeps a bounded buffer, reads the log again, and loses nothing', async () => {
  const { mailbox, service, seen } = await openFake()
  const slow = mailbox.incoming()
  const fast = mailbox.incoming()
  const fastTaken: Message[] = []
  const fastLoop = (async () => {
    for await (const message of fast) fastTaken.push(message)
  })()
  const count = 2_300
  for (let sent = 0; sent < count; sent += 1) {
    service.receive()
    if (sent % 100 === 0) await settle(1)
  }
  await until(() => seen.length === count)
  const asked = () => service.requests.filter(({ query }) => query.get('types') === 'message.received').length
  const before = asked()
  expect(ids(await take(slow, 500))).toHaveLength(500)
  expect(asked()).toBe(before)
  const rest = await take(slow, count - 600)
  service.receive()
  rest.push(...(await take(slow, 101)))
  expect(ids(rest)).toEqual(Array.from({ length: count - 499 }, (_, at) => `msg_${501 + at}`))
  expect(asked()).toBeGreaterThan(before)
  await until(() => fastTaken.length === count + 1)
  expect(new Set(ids(fastTaken)).size).toBe(count + 1)
  await mailbox.close()
  await fastLoop
})

test('a loop that is behind repeats reads that fail, and follows again', async () => {
  const { mailbox, service, clock, seen } = await openFake()
  const slow = mailbox.incoming()
  for (let sent = 0; sent < 700; sent += 1) service.receive()
  await until(() => seen.length === 700)
  let failures = 3
  service.override = ({ query }) => {
    if (!query.has('types') || failures === 0) return undefined
    failures -= 1
    throw new TypeError('fetch failed')
  }
  const taken = take(slow, 701)
  await clock.advance(5_000)
  service.receive()
  expect(ids(await taken)).toEqual(Array.from({ length: 701 }, (_, at) => `msg_${1 + at}`))
  await mailbox.close()
})

test.each(['before', 'after'] as const)(
  'a loop that is behind while a backup is restored gets all of the restored log, read %s the mailbox noticed',
  async (when) => {
    const { mailbox, service, clock, seen } = await openFake()
    const slow = mailbox.incoming()
    for (let sent = 0; sent < 700; sent += 1) service.receive()
    await until(() => seen.length === 700)
    await take(slow, 500)
    service.restore(550)
    const fresh = Array.from({ length: 200 }, (_, at) => `msg_new_${at}`)
    for (const id of fresh) service.receive({ id })
    const rest = when === 'before' ? take(slow, 251) : null
    await settle()
    service.cut()
    await clock.advance(10_000)
    service.receive({ id: 'msg_last' })
    const kept = Array.from({ length: 50 }, (_, at) => `msg_${501 + at}`)
    expect(ids(await (rest ?? take(slow, 251)))).toEqual([...kept, ...fresh, 'msg_last'])
    await mailbox.close()
  },
)

test('a loop that waits after failed reads continues as soon as the mailbox notices a restored log', async () => {
  const { mailbox, service, clock, seen } = await openFake()
  const slow = mailbox.incoming()
  for (let sent = 0; sent < 700; sent += 1) service.receive()
  await until(() => seen.length === 700)
  await take(slow, 500)
  let failures = 0
  service.override = ({ query }) => {
    if (!query.has('types')) return undefined
    failures += 1
    throw new TypeError('fetch failed')
  }
  const rest = take(slow, 51)
  while (failures < 9) await clock.advance(5_000)
  service.override = undefined
  service.restore(550)
  service.receive({ id: 'msg_new' })
  service.cut()
  await clock.advance(1_000)
  expect(ids(await rest)).toEqual([...Array.from({ length: 50 }, (_, at) => `msg_${501 + at}`), 'msg_new'])
  await mailbox.close()
})

test('S9: a loop that is behind what the log retains is told, and gets what came in from the messages', async () => {
  const { mailbox, service, clock, seen, errors } = await openFake()
  const slow = mailbox.incoming()
  for (let sent = 0; sent < 700; sent += 1) service.receive()
  await until(() => seen.length === 700)
  service.lostUpTo = 600
  await take(slow, 450)
  service.receive()
  let failures = 2
  service.override = ({ query }) => {
    if (query.get('cursor') !== '4' || failures === 0) return undefined
    failures -= 1
    return refuse(500, 'internal_error')
  }
  const rest = take(slow, 252)
  await until(() => errors.length === 2)
  service.receive()
  await clock.advance(5_000)
  expect(ids(await rest)).toEqual(Array.from({ length: 252 }, (_, at) => `msg_${451 + at}`))
  expect(errors).toEqual(['cursor_expired', 'internal_error', 'internal_error'])
  await mailbox.close()
})

test('S9: where the whole mailbox slept through what the log retains, loops and listeners get what came in', async () => {
  const { mailbox, service, clock, seen } = await openFake()
  const reported: string[] = []
  mailbox.on('message', ({ id }) => reported.push(id))
  const loop = mailbox.incoming()
  const toB = mailbox.incoming({ inbox: 'inb_b' })
  service.receive()
  await until(() => seen.length === 1)
  service.down = true
  service.cut()
  service.receive()
  service.receive({ inbox_id: 'inb_b' })
  service.receive({ labels: ['spam'], label_ids: ['spam'] })
  service.touchThread()
  service.lostUpTo = 5
  service.down = false
  await clock.advance(10_000)
  await until(() => mailbox.state.status === 'live')
  service.receive()
  expect(ids(await take(loop, 4))).toEqual(['msg_1', 'msg_2', 'msg_3', 'msg_6'])
  expect(ids(await take(toB, 1))).toEqual(['msg_3'])
  await until(() => reported.length === 4)
  expect(reported.toSorted()).toEqual(['msg_1', 'msg_2', 'msg_3', 'msg_6'])
  await mailbox.close()
})

test('a loop is filtered by inbox and by function, and ends where the function throws', async () => {
  const { mailbox, service } = await openFake()
  const toB = mailbox.incoming({ inbox: 'B@mail.example' })
  const urgent = mailbox.incoming({ filter: ({ subject }) => subject === 'urgent' })
  const broken = mailbox.incoming({
    filter: () => {
      throw new Error('filter')
    },
  })
  const brokenNext = [broken.next(), broken.next()] as const
  service.receive({ inbox_id: 'inb_a' })
  service.receive({ inbox_id: 'inb_b', subject: 'urgent' })
  expect(ids(await take(toB, 1))).toEqual(['msg_2'])
  expect(ids(await take(urgent, 1))).toEqual(['msg_2'])
  await expect(brokenNext[0]).rejects.toMatchObject({ code: 'filter_failed', cause: { message: 'filter' } })
  expect(await brokenNext[1]).toMatchObject({ done: true })
  await mailbox.close()
})

test('an aborted signal ends the loop with its reason', async () => {
  const { mailbox } = await openFake()
  const controller = new AbortController()
  const messages = mailbox.incoming({ signal: controller.signal })
  const next = messages.next()
  controller.abort('enough')
  await expect(next).rejects.toBe('enough')
  expect(await messages.next()).toMatchObject({ done: true })
  await expect(mailbox.incoming({ signal: controller.signal }).next()).rejects.toBe('enough')
  await mailbox.close()
})

test('close ends loops cleanly; a refused key makes them throw after what had come', async () => {
  const { mailbox } = await openFake()
  const next = mailbox.incoming().next()
  await mailbox.close()
  expect(await next).toEqual({ value: undefined, done: true })
  expect(await mailbox.incoming().next()).toMatchObject({ done: true })

  const other = await openFake()
  const messages = other.mailbox.incoming()
  other.service.receive()
  await until(() => other.seen.length === 1)
  other.service.key = 'another'
  other.service.cut()
  await other.clock.advance(1_000)
  expect((await messages.next()).value?.id).toBe('msg_1')
  await expect(messages.next()).rejects.toMatchObject({ code: 'unauthorized' })
  await expect(other.mailbox.incoming().next()).rejects.toMatchObject({ code: 'unauthorized' })
})

test('several next() at once are answered in order, and unknown options are refused', async () => {
  const { mailbox, service } = await openFake()
  const messages = mailbox.incoming()
  const nexts = [messages.next(), messages.next(), messages.next()]
  for (let count = 0; count < 3; count += 1) service.receive()
  expect((await Promise.all(nexts)).map(({ value }) => value?.id)).toEqual(['msg_1', 'msg_2', 'msg_3'])
  expect(() => mailbox.incoming({ consumers: 'bot' } as object)).toThrow('consumers')
  expect(() => mailbox.incoming({ from: 'now' })).toThrow('give incoming() a consumer')
  await mailbox.close()
})
