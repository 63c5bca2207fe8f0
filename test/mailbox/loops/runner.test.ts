import { type Message, ServiceError } from 'restante'
import { expect, test } from 'vitest'
import { eventually, openConsuming } from '../support/consuming'

/** A promise, and what settles it. */
const later = () => {
  let settle = () => {}
  const promise = new Promise<void>((resolve) => (settle = resolve))
  return { promise, settle: () => settle() }
}

test('run() handles as many messages at once as it may, of a thread one at a time in order, and takes no more', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, state } = world
  await mail('a', 'a:2', 'a:3', 'b', 'c', 'd')
  const begun: string[] = []
  const gates = new Map<string, ReturnType<typeof later>>()
  const run = mailbox.run(
    async ({ subject }) => {
      begun.push(subject)
      const gate = later()
      gates.set(subject, gate)
      await gate.promise
    },
    { consumer: 'bot', concurrency: 2 },
  )
  await eventually(() => begun.length === 2)
  expect(begun).toEqual(['a', 'b'])
  expect(run.active).toBe(2)
  expect(await state()).toEqual({ waiting: 4, leased: 2, dead: 0 })
  for (const subject of ['b', 'a', 'c', 'd', 'a:2', 'a:3']) {
    await eventually(() => gates.has(subject))
    gates.get(subject)!.settle()
  }
  await eventually(async () => (await state()).waiting === 0 && run.active === 0)
  expect(begun.filter((subject) => subject.startsWith('a'))).toEqual(['a', 'a:2', 'a:3'])
  await run.stop()
  expect(await state()).toEqual({ waiting: 0, leased: 0, dead: 0 })
})

test('stop() and the signal let run() finish and acknowledge what was begun, and begin nothing else', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, state } = world
  await mail('a', 'b')
  for (const how of ['stop', 'signal']) {
    const gate = later()
    const begun: string[] = []
    const controller = new AbortController()
    const run = mailbox.run(
      async ({ subject }) => {
        begun.push(subject)
        await gate.promise
      },
      { consumer: 'bot', concurrency: 1, signal: controller.signal },
    )
    await eventually(() => begun.length === 1)
    const stopped = how === 'stop' ? run.stop() : run.done
    if (how === 'signal') controller.abort()
    gate.settle()
    await stopped
    expect(begun).toEqual([how === 'stop' ? 'a' : 'b'])
  }
  expect(await state()).toEqual({ waiting: 0, leased: 0, dead: 0 })
})

test('what a handler of run() throws is reported, and its message comes again, later from the third attempt on', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, clock } = world
  await mail('a')
  const attempts: number[] = []
  const reported: unknown[] = []
  const errors: string[] = []
  mailbox.on('error', ({ code }) => errors.push(code))
  const handler = ({ attempt }: Message) => {
    attempts.push(attempt)
    throw new Error(`attempt ${attempt}`)
  }
  const run = mailbox.run(handler, {
    consumer: 'bot',
    onError: (error, message) => reported.push([(error as Error).message, message.subject]),
  })
  await eventually(() => attempts.length === 2)
  await clock.advance(9_000)
  expect(attempts).toEqual([1, 2])
  await clock.advance(2_000)
  await eventually(() => attempts.length === 3)
  expect(reported).toEqual([1, 2, 3].map((attempt) => [`attempt ${attempt}`, 'a']))
  await run.stop()
  const other = mailbox.run(handler, { consumer: 'another' })
  await eventually(() => errors.length === 2)
  expect(errors).toEqual(['handler_failed', 'handler_failed'])
  await other.stop()
})

test('a handler that throws thread_moved has handled its message; an onError that throws ends the run', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, state } = world
  await mail('a')
  const reported: unknown[] = []
  const moved = mailbox.run(
    () => {
      throw new ServiceError('thread_moved', 'a newer message is there', { status: 409 })
    },
    { consumer: 'bot', onError: (error) => reported.push(error) },
  )
  await eventually(async () => (await state()).leased === 0 && (await state()).waiting === 0)
  await moved.stop()
  expect(reported).toEqual([])
  const ended = mailbox.run(
    () => {
      throw new Error('own')
    },
    {
      consumer: 'another',
      onError: (error) => {
        throw error
      },
    },
  )
  await expect(ended.done).rejects.toThrow('own')
  expect(await state('another')).toMatchObject({ waiting: 1, leased: 0 })
})

test('the signal of a handler aborts when another worker may have its message, and when the mailbox closes', async () => {
  await using world = await openConsuming()
  const { mail, clock, faults, state } = world
  const mailbox = await world.open()
  await mail('a')
  const aborted: unknown[] = []
  mailbox.run(
    (_message, { signal }) =>
      new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => {
          aborted.push((signal.reason as { code: string }).code)
          resolve()
        })
      }),
    { consumer: 'bot', concurrency: 1 },
  )
  await eventually(
    async () => world.requests.includes('POST /consumers/bot/lease') && (await state()).leased === 1,
  )
  faults.before = /extend/
  await clock.advance(21_000)
  const other = world.mailbox.incoming({ consumer: 'bot' })
  expect((await other.next()).value).toMatchObject({ attempt: 2 })
  faults.before = null
  await clock.advance(5_000)
  await eventually(() => aborted.length === 1)
  await other.return()
  // It was had twice, and is waited with.
  await clock.advance(10_000)
  await eventually(async () => (await state()).leased === 1)
  await mailbox.close()
  expect(aborted).toEqual(['lease_lost', 'mailbox_closed'])
  expect(await state()).toMatchObject({ waiting: 1, leased: 0 })
})

test('run() ends with what the service refuses for good, and refuses options that make no sense', async () => {
  await using world = await openConsuming()
  const { mailbox } = world
  const run = mailbox.run(() => {}, { consumer: 'no name' })
  await expect(run.done).rejects.toMatchObject({ code: 'invalid_request' })
  expect(() => mailbox.run(() => {}, { consumer: 'bot', concurrency: 0 })).toThrow('concurrency')
})
