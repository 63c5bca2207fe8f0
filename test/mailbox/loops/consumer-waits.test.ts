import type { Message } from 'restante'
import { expect, test } from 'vitest'
import { eventually, openConsuming } from '../support/consuming'

test('S6: what a wait returned within a body is acknowledged with it, and not yielded again', async () => {
  await using context = await openConsuming()
  const { mailbox, mail, state } = context
  await mail('A', 'B')
  const loop = mailbox.incoming({ consumer: 'bot' })
  const first = (await loop.next()).value as Message
  expect(first.subject).toBe('A')
  const waiting = (await first.thread()).nextReply()
  await mail('A: answer')
  const answer = await waiting
  expect(answer.subject).toBe('A: answer')
  await answer.reply({ text: 'Thank you' })
  const second = (await loop.next()).value as Message
  expect(second.subject).toBe('B')
  await second.ack()
  expect(await state()).toEqual({ waiting: 0, leased: 0, dead: 0 })
  await loop.return()
})

test('S6: where a body is left, its message and what a wait returned in it are both handed out again', async () => {
  await using context = await openConsuming()
  const { mailbox, mail, open } = context
  await mail('A')
  for await (const message of mailbox.incoming({ consumer: 'bot' })) {
    const waiting = (await message.thread()).nextReply()
    await mail('A: answer')
    await waiting
    break
  }
  const other = await open()
  const loop = other.incoming({ consumer: 'bot' })
  const again = [(await loop.next()).value, (await loop.next()).value] as Message[]
  expect(again.map(({ subject }) => subject)).toEqual(['A', 'A: answer'])
  await loop.return()
})

const others = ['expect', 'waitFor', 'nextReply', 'resumeWait'] as const

test.each(others)('S6: what mailbox.%s returned within a body is acknowledged with it', async (how) => {
  await using context = await openConsuming()
  const { mailbox, mail, state } = context
  const wait = (message: Message) => {
    if (how === 'expect') return mailbox.expect({ subject: 'code' })
    if (how === 'waitFor') return mailbox.waitFor(({ subject }) => subject === 'code')
    if (how === 'nextReply') return mailbox.nextReply(message)
    const stored = mailbox.waitFor({ subject: 'code' }, { within: null })
    return mailbox.resumeWait(stored.token!)
  }
  await mail('A', 'B')
  const loop = mailbox.incoming({ consumer: 'bot' })
  const first = (await loop.next()).value as Message
  const waiting = wait(first)
  const awaited = how === 'nextReply' ? 'A: answer' : 'code'
  await mail(awaited)
  expect((await waiting).subject).toBe(awaited)
  const second = (await loop.next()).value as Message
  expect(second.subject).toBe('B')
  await second.ack()
  expect(await state()).toEqual({ waiting: 0, leased: 0, dead: 0 })
  await loop.return()
})

test('S6: of several bodies, a wait belongs to the one that `within` names, or to none', async () => {
  await using context = await openConsuming()
  const { mailbox, mail } = context
  await mail('A', 'B')
  const loop = mailbox.incoming({ consumer: 'bot' })
  const [a, b] = (await Promise.all([loop.next(), loop.next()])).map(({ value }) => value as Message)
  const unclear = mailbox.waitFor({ subject: 'C' })
  const clear = mailbox.waitFor({ subject: 'D' }, { within: b })
  const outside = mailbox.waitFor({ subject: 'E' }, { within: null })
  await mail('C', 'D', 'E')
  await Promise.all([unclear, clear, outside])
  await a!.ack()
  await b!.ack()
  const left = [(await loop.next()).value, (await loop.next()).value] as Message[]
  expect(left.map(({ subject }) => subject)).toEqual(['C', 'E'])
  await loop.return()
})

test('S6: an option that is undefined leaves a wait with the body that it has', async () => {
  await using context = await openConsuming()
  const { mailbox, mail, state } = context
  await mail('A', 'B')
  const loop = mailbox.incoming({ consumer: 'bot' })
  const [a, b] = (await Promise.all([loop.next(), loop.next()])).map(({ value }) => value as Message)
  const unset = { within: undefined, timeoutMs: undefined }
  const answer = (await a!.thread()).nextReply(unset)
  const other = mailbox.waitFor({ subject: 'C', within: b }, unset)
  await mail('A: answer', 'C')
  await Promise.all([answer, other])
  await a!.ack()
  await b!.ack()
  expect(await state()).toEqual({ waiting: 0, leased: 0, dead: 0 })
  await loop.return()
})

test('S5: what a wait returned within a body has one reply, also where the consumer hands it out again', async () => {
  await using context = await openConsuming()
  const { mailbox, mail, open, sent } = context
  await mail('A')
  for await (const _ of mailbox.incoming({ consumer: 'bot' })) {
    const waiting = mailbox.waitFor({ subject: 'B' })
    await mail('B')
    await (await waiting).reply({ text: 'in the body' })
    break
  }
  const loop = (await open()).incoming({ consumer: 'bot' })
  await loop.next()
  const again = (await loop.next()).value as Message
  expect(again.subject).toBe('B')
  expect(await again.reply({ text: 'again' })).toMatchObject({ idempotent: true })
  expect(await sent()).toHaveLength(1)
  await loop.return()
})

test.each(['expect', 'nextReply'] as const)(
  'S6: while a body of a run waits with mailbox.%s, what it waits for is handed to no other body',
  async (how) => {
    await using context = await openConsuming()
    const { mailbox, mail, state, real } = context
    const errors: unknown[] = []
    mailbox.on('error', (error) => errors.push(error))
    const handled: string[] = []
    const waiting = withResolvers()
    const isOther = withResolvers()
    await mail('question of another')
    const question = (await mailbox.messages.list()).items[0]!
    const run = mailbox.run(
      async (message) => {
        handled.push(message.subject)
        if (message.subject === 'B') isOther.resolve()
        if (message.subject !== 'A') return
        const options = { within: message }
        const wait =
          how === 'expect'
            ? mailbox.expect({ subject: 'code', ...options })
            : mailbox.nextReply(question, options)
        waiting.resolve()
        handled.push(`A got ${(await wait).subject}`)
        // Its body goes on for a while, and other mail is handled meanwhile.
        await isOther.promise
      },
      { consumer: 'bot', from: 'now' },
    )
    await eventually(async () => (await real.call('GET', '/consumers/bot')).status === 200)
    await mail('A')
    await waiting.promise
    const awaited = how === 'expect' ? 'code' : 'question of another: answer'
    await mail('C', awaited)
    await eventually(() => handled.includes(`A got ${awaited}`))
    await mail('B')
    await isOther.promise
    await eventually(async () => (await state()).leased === 0)
    await run.stop()
    expect(handled.toSorted()).toEqual(['A', `A got ${awaited}`, 'B', 'C'])
    expect(await state()).toEqual({ waiting: 0, leased: 0, dead: 0 })
    expect(errors).toEqual([])
  },
)

test('S6: what a body of a run had waited for is handed out again where the body failed, and a second one at once', async () => {
  await using context = await openConsuming()
  const { mailbox, mail, clock } = context
  mailbox.on('error', () => {})
  const handled: string[] = []
  const waiting = withResolvers()
  const failing = withResolvers()
  const run = mailbox.run(
    async (message) => {
      handled.push(message.subject)
      if (message.subject !== 'A' || handled.length > 1) return
      const wait = mailbox.expect({ subject: 'code', within: message })
      waiting.resolve()
      await wait
      await failing.promise
      throw new Error('failed')
    },
    { consumer: 'bot' },
  )
  await mail('A')
  await waiting.promise
  await mail('code 1', 'code 2')
  await eventually(() => handled.length === 2)
  expect(handled).toEqual(['A', 'code 2'])
  failing.resolve()
  await eventually(() => {
    clock.advance(1_000)
    return handled.length === 4
  })
  expect(handled.slice(2).toSorted()).toEqual(['A', 'code 1'])
  await run.stop()
})

test('S6: what one loop waits for in its body is not yielded by another loop of the consumer', async () => {
  await using context = await openConsuming()
  const { mailbox, mail, state } = context
  const loop = mailbox.incoming({ consumer: 'bot' })
  const another = mailbox.incoming({ consumer: 'bot' })
  await mail('A')
  const first = (await loop.next()).value as Message
  const next = another.next()
  const wait = mailbox.expect({ subject: 'code', within: first })
  await mail('code', 'B')
  expect((await wait).subject).toBe('code')
  expect(((await next).value as Message).subject).toBe('B')
  await loop.return()
  await another.return()
  expect(await state()).toMatchObject({ dead: 0 })
})

test('S6: mail from before a wait is handed out while a body waits, also where it would fit', async () => {
  await using context = await openConsuming()
  const { mailbox, mail, clock } = context
  const loop = mailbox.incoming({ consumer: 'bot' })
  const another = mailbox.incoming({ consumer: 'bot' })
  await mail('A', 'code')
  const first = (await loop.next()).value as Message
  const wait = mailbox.expect({ subject: 'code', within: first })
  let second: Message | undefined
  void another.next().then(({ value }) => {
    second = value as Message
  })
  await eventually(() => {
    clock.advance(100)
    return second !== undefined
  })
  expect([first.subject, second!.subject]).toEqual(['A', 'code'])
  wait.cancel()
  await loop.return()
  await another.return()
})

/** As `Promise.withResolvers()`, which Node 20 has not. */
function withResolvers() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
