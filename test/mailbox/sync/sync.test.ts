import fc from 'fast-check'
import { heartbeatMs } from 'restante/protocol'
import { expect, test } from 'vitest'
import { settle, until } from '../support/fake-clock'
import { FakeService } from '../support/fake-service'
import { openFake } from '../support/open'

const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, at) => first + at)

test('S8: a mailbox opens live at the head, and stays level with what comes', async () => {
  const service = new FakeService()
  service.receive()
  service.receive()
  const { mailbox, seen } = await openFake({}, service)
  expect(mailbox.state).toMatchObject({ status: 'live', source: 'socket', cursor: 2, head: 2, lag: 0 })
  service.receive()
  service.touchThread()
  await until(() => seen.length === 2)
  expect(seen).toEqual([3, 4])
  expect(mailbox.state).toMatchObject({ status: 'live', cursor: 4, error: undefined })
  await mailbox.close()
})

test('S8: a mailbox that is behind says by how much', async () => {
  const { mailbox, service } = await openFake()
  const reported: unknown[] = []
  mailbox.on('state', ({ status, cursor, head, lag }) => reported.push({ status, cursor, head, lag }))
  service.sockets[0]?.faults.push('drop')
  service.receive()
  service.receive()
  await until(() => reported.length === 2)
  expect(reported).toEqual([
    { status: 'catching-up', cursor: 0, head: 2, lag: 2 },
    { status: 'live', cursor: 2, head: 2, lag: 0 },
  ])
  await mailbox.close()
})

test('S3: a hole is fetched before what comes after it is shown', async () => {
  const { mailbox, service, seen, statuses } = await openFake()
  service.sockets[0]?.faults.push('drop')
  service.receive()
  await settle()
  expect(seen).toEqual([])
  service.receive()
  await until(() => seen.length === 2)
  expect(seen).toEqual([1, 2])
  expect(statuses).toEqual(['catching-up', 'live'])
  await mailbox.close()
})

test('S3: repeated and reordered frames change nothing', async () => {
  const { mailbox, service, seen } = await openFake()
  service.sockets[0]?.faults.push('duplicate', 'swap', 'duplicate')
  for (let count = 0; count < 5; count += 1) service.receive()
  await until(() => seen.length === 5)
  await settle()
  expect(seen).toEqual(upTo(5))
  await mailbox.close()
})

test('S3: an event that was lost shows by the next caught-up', async () => {
  const { mailbox, service, seen } = await openFake({ inbox: 'inb_a' })
  service.sockets[0]?.faults.push('drop')
  service.receive({ inbox_id: 'inb_a' })
  service.receive({ inbox_id: 'inb_b' })
  await until(() => seen.length === 1)
  expect(mailbox.state).toMatchObject({ status: 'live', cursor: 2 })
  await mailbox.close()
})

test('a mailbox whose socket is lost reconnects from the cursor, with jitter, and is stale meanwhile', async () => {
  const { mailbox, service, clock, seen, statuses } = await openFake()
  service.cut()
  await settle()
  expect(mailbox.state).toMatchObject({ status: 'stale', source: null, error: { code: 'socket_closed' } })
  service.receive()
  await clock.advance(124)
  expect(service.sockets).toHaveLength(1)
  await clock.advance(1)
  expect(service.sockets).toHaveLength(2)
  await until(() => mailbox.state.status === 'live')
  expect(seen).toEqual([1])
  expect(statuses).toEqual(['stale', 'catching-up', 'live'])
  await mailbox.close()
})

test('reconnecting waits longer with each failure, never more than 30 s, and never gives up', async () => {
  const { mailbox, service, clock } = await openFake({ source: 'socket' })
  clock.chance = 0.999_999
  service.down = true
  service.cut()
  await clock.advance(10 * 60_000)
  const attempts = service.sockets.length
  expect(attempts).toBeGreaterThan(20)
  expect(attempts).toBeLessThan(35)
  await clock.advance(60 * 60_000)
  expect(service.sockets.length - attempts).toBe(120)
  service.down = false
  await clock.advance(30_000)
  expect(mailbox.state.status).toBe('live')
  await mailbox.close()
})

test('a silent socket is pinged, and left after twice as long', async () => {
  const { mailbox, service, clock, seen } = await openFake()
  await clock.advance(10 * heartbeatMs)
  expect(service.sockets).toHaveLength(1)
  const [first] = service.sockets
  if (first) first.silent = true
  service.receive()
  await clock.advance(2 * heartbeatMs - 1)
  expect(mailbox.state.status).toBe('live')
  await clock.advance(heartbeatMs + 200)
  expect(service.sockets).toHaveLength(2)
  expect(seen).toEqual([1])
  expect(first?.readyState).toBe(3)
  await mailbox.close()
})

test('while sockets fail a mailbox polls, and comes back to the socket', async () => {
  const { mailbox, service, clock, seen, statuses } = await openFake()
  service.socketsRefused = true
  service.cut()
  await clock.advance(2_000)
  expect(mailbox.state).toMatchObject({ status: 'live', source: 'poll' })
  service.receive()
  await until(() => seen.length === 1)
  await clock.advance(60_000)
  expect(mailbox.state.source).toBe('poll')
  service.socketsRefused = false
  const before = statuses.length
  await clock.advance(3 * 60_000)
  expect(mailbox.state).toMatchObject({ status: 'live', source: 'socket' })
  expect(statuses.slice(before)).toEqual([])
  service.receive()
  await until(() => seen.length === 2)
  expect(seen).toEqual([1, 2])
  await mailbox.close()
})

// Whatever it would have tried next.
test.each([20_000, 30_000, 45_000, 60_000, 75_000, 90_000])(
  'a mailbox whose service was away altogether for %s ms comes back to the socket',
  async (awayMs) => {
    const { mailbox, service, clock } = await openFake()
    service.down = true
    service.cut()
    await clock.advance(awayMs)
    service.down = false
    await clock.advance(30_000)
    expect(mailbox.state).toMatchObject({ status: 'live', source: 'socket' })
    await mailbox.close()
  },
)

test('source: poll never opens a socket', async () => {
  const { mailbox, service, seen } = await openFake({ source: 'poll' })
  for (let count = 0; count < 3; count += 1) service.receive()
  await until(() => seen.length === 3)
  expect(seen).toEqual([1, 2, 3])
  expect(service.sockets).toHaveLength(0)
  await mailbox.close()
})

test('a poll that is answered with nothing at once is not repeated in a loop', async () => {
  const { mailbox, service, clock } = await openFake({ source: 'poll' })
  await settle()
  for (const wake of service.waiting) wake()
  await settle(20)
  const asked = service.requests.length
  await clock.advance(999)
  expect(service.requests).toHaveLength(asked)
  await clock.advance(1)
  expect(service.requests).toHaveLength(asked + 1)
  await mailbox.close()
})

test('S9: an expired cursor leads to a new snapshot, says so, and goes on', async () => {
  const { mailbox, service, clock, seen, statuses, errors } = await openFake()
  service.cut()
  await settle()
  for (let count = 0; count < 5; count += 1) service.receive()
  service.lostUpTo = 4
  await clock.advance(1_000)
  expect(errors).toEqual(['cursor_expired'])
  expect(statuses).toEqual(['stale', 'connecting', 'live'])
  service.receive()
  await until(() => seen.length === 1)
  expect(seen).toEqual([6])
  await mailbox.close()
})

test('a refused key closes the mailbox for good', async () => {
  const { mailbox, service, clock, errors } = await openFake()
  service.key = 'another'
  service.cut()
  await clock.advance(1_000)
  expect(mailbox.state).toMatchObject({ status: 'closed', error: { code: 'unauthorized' } })
  expect(errors).toEqual(['unauthorized'])
  const sockets = service.sockets.length
  await clock.advance(120_000)
  expect(service.sockets).toHaveLength(sockets)
  expect(clock.pending).toBe(0)
})

test('junk in a frame ends the socket, unknown frames and types pass, and data that does not fit is reported and passed over', async () => {
  const { mailbox, service, clock, seen, errors } = await openFake()
  service.sockets[0]?.serverSendText('{"type":"novelty","x":1}')
  service.append('novelty.happened', {}, null)
  service.append('message.received', { id: 7 })
  await until(() => errors.length === 1)
  expect(seen).toEqual([1])
  expect(mailbox.state).toMatchObject({ status: 'live', cursor: 2 })
  service.sockets[0]?.serverSendText('<html>')
  await clock.advance(1_000)
  expect(errors).toEqual(['unexpected_answer', 'unexpected_answer'])
  expect(mailbox.state.status).toBe('live')
  await mailbox.close()
})

type Step = (context: Awaited<ReturnType<typeof openFake>>) => unknown
const steps: Record<string, Step> = {
  a: ({ service }) => service.receive({ inbox_id: 'inb_a' }),
  b: ({ service }) => service.receive({ inbox_id: 'inb_b' }),
  thread: ({ service }) => service.touchThread(),
  drop: ({ service }) => service.sockets.at(-1)?.faults.push('drop'),
  duplicate: ({ service }) => service.sockets.at(-1)?.faults.push('duplicate'),
  swap: ({ service }) => service.sockets.at(-1)?.faults.push('swap'),
  cut: ({ service }) => service.cut(),
  silence: ({ service }) => {
    for (const socket of service.sockets) socket.silent = true
  },
  refuse: ({ service }) => {
    service.socketsRefused = true
  },
  accept: ({ service }) => {
    service.socketsRefused = false
  },
  down: ({ service }) => {
    service.down = true
  },
  up: ({ service }) => {
    service.down = false
  },
  settle: () => settle(1),
  wait: ({ clock }) => clock.advance(700),
}
const expected = (service: FakeService, inbox: string | undefined) =>
  service.log.filter(({ inbox_id }) => !inbox || inbox_id === inbox).map(({ seq }) => seq)

test.each([undefined, 'inb_a'])(
  'S3: every event is shown once, in order, whatever happens (inbox %s)',
  async (inbox) => {
    const step = fc.constantFrom(...Object.keys(steps), 'a', 'a', 'b', 'settle', 'wait')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (names) => {
        const context = await openFake(inbox ? { inbox } : {})
        const { mailbox, service, clock, seen } = context
        const falselyLive: number[] = []
        mailbox.on('state', ({ status, lag }) => {
          if (status === 'live' && lag !== 0) falselyLive.push(lag)
        })
        for (const name of names) await steps[name]?.(context)
        service.down = service.socketsRefused = false
        for (const socket of service.sockets) socket.faults.length = 0
        service.receive({ inbox_id: 'inb_a' })
        await clock.advance(2 * 60_000)
        expect(seen).toEqual(expected(service, inbox))
        expect(mailbox.state).toMatchObject({ status: 'live', cursor: service.head })
        expect(falselyLive).toEqual([])
        await mailbox.close()
        expect(clock.pending).toBe(0)
      }),
      { numRuns: 150 },
    )
  },
)
