import type { Message } from 'restante'
import { expect, test } from 'vitest'
import { eventually, openConsuming } from '../support/consuming'

/** Runs a handler until it has begun this many times; returns what each time saw. */
const attemptsOf = (
  world: Awaited<ReturnType<typeof openConsuming>>,
  handle: (message: Message) => unknown,
) => {
  const seen: { attempt: number; handedBack: boolean }[] = []
  const errors: unknown[] = []
  const run = world.mailbox.run(
    async (message, { handedBack }) => {
      seen.push({ attempt: message.attempt, handedBack })
      await handle(message)
    },
    { consumer: 'bot', onError: (error) => errors.push(error) },
  )
  return { run, seen, errors }
}

test('run() gives a message of a held thread back without an attempt, and gets it after the release', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, state, sent } = world
  await mail('a')
  const { run, seen, errors } = attemptsOf(world, async (message) => {
    const thread = await message.thread()
    if (seen.length === 1) expect((await thread.hold({ reason: 'Mine' })).held).toBe(true)
    await message.reply('From the agent.')
  })
  await eventually(async () => seen.length === 1 && (await state()).leased === 0)
  expect(await sent()).toEqual([])
  expect(errors).toEqual([])
  expect(await state()).toEqual({ waiting: 1, leased: 0, dead: 0 })
  const [held] = (await mailbox.threads.list()).items
  expect(held?.record.hold).toMatchObject({ reason: 'Mine', until: null })
  const thread = await mailbox.threads.get(held!.id)
  expect((await thread.release()).held).toBe(false)
  await eventually(async () => (await sent()).length === 1)
  expect(seen).toEqual([
    { attempt: 1, handedBack: false },
    { attempt: 1, handedBack: true },
  ])
  await run.stop()
})

test('a live query of threads shows a hold when it begins and when it ends', async () => {
  await using world = await openConsuming()
  const { mailbox, mail } = world
  await mail('a')
  const [first] = (await mailbox.threads.list()).items
  const thread = await mailbox.threads.get(first!.id)
  const seen: boolean[] = []
  for await (const [one] of mailbox.threads.watch()) {
    if (!one || one.held === seen.at(-1)) continue
    seen.push(one.held)
    if (seen.length === 1) await thread.hold()
    if (seen.length === 2) await thread.release()
    if (seen.length === 3) break
  }
  expect(seen).toEqual([false, true, false])
})

test('a loop that ends with thread_held gives its message back without an attempt', async () => {
  await using world = await openConsuming()
  const { mailbox, mail } = world
  await mail('a')
  const answerOnce = async () => {
    for await (const message of mailbox.incoming({ consumer: 'bot' })) {
      await (await message.thread()).hold()
      await message.reply('From the agent.')
    }
  }
  await expect(answerOnce()).rejects.toMatchObject({ code: 'thread_held', status: 409 })
  const [thread] = (await mailbox.threads.list()).items
  await (await mailbox.threads.get(thread!.id)).release()
  for await (const message of mailbox.incoming({ consumer: 'bot' })) {
    expect(message).toMatchObject({ attempt: 1, handedBack: true })
    break
  }
})

test('handOver() ends the turn, and the message comes with new attempts after the release', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, state, sent } = world
  await mail('a')
  const { run, seen, errors } = attemptsOf(world, async (message) => {
    if (seen.length === 1) throw new Error('try again')
    if (seen.length === 2) await message.handOver({ reason: 'A refund needs a person.' })
    else await message.reply('From the agent.')
  })
  await eventually(async () => seen.length === 2 && (await state()).leased === 0)
  const [thread] = (await mailbox.threads.list()).items
  expect(thread?.record.hold).toMatchObject({
    by: { kind: 'consumer', name: 'bot' },
    reason: 'A refund needs a person.',
  })
  await (await mailbox.threads.get(thread!.id)).release()
  await eventually(async () => (await sent()).length === 1)
  expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2, 1])
  expect(errors).toHaveLength(1)
  await run.stop()
})

test("onGiveUp: 'hand_over' hands a message over instead of a dead letter", async () => {
  await using world = await openConsuming()
  const { mailbox, mail, state, clock } = world
  await mail('a')
  let attempts = 0
  const run = mailbox.run(
    () => {
      attempts++
      throw new Error('broken')
    },
    { consumer: 'bot', onError: () => {}, onGiveUp: 'hand_over' },
  )
  while (attempts < 10) {
    const before = attempts
    await clock.advance(60_000)
    if (attempts === before) await eventually(async () => (await state()).leased === 0)
  }
  await eventually(async () => (await mailbox.threads.list()).items[0]?.held === true)
  expect(await state()).toEqual({ waiting: 1, leased: 0, dead: 0 })
  const [thread] = (await mailbox.threads.list()).items
  expect(thread?.record.hold?.reason).toBe('The agent did not handle the message in ten attempts.')
  await run.stop()
})
