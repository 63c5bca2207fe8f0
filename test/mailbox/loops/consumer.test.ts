import type { IncomingMessages, Message } from 'restante'
import { expect, test } from 'vitest'
import { eventually, openConsuming } from '../support/consuming'

const nextOf = async (loop: IncomingMessages): Promise<Message> => (await loop.next()).value as Message

test('S4: yields what there is and what comes, and acknowledges when the next is asked for', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, state } = world
  await mail('a', 'b')
  const loop = mailbox.incoming({ consumer: 'bot' })
  expect((await nextOf(loop)).subject).toBe('a')
  expect((await state()).leased).toBeGreaterThan(0)
  expect((await nextOf(loop)).subject).toBe('b')
  const third = nextOf(loop)
  await eventually(async () => (await state()).leased === 0)
  await mail('c')
  expect((await third).subject).toBe('c')
  await loop.return()
  expect(await state()).toEqual({ waiting: 1, leased: 0, dead: 0 })
})

test('S4: break and throw give back at once what was not acknowledged, as an attempt', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, state, clock } = world
  await mail('a')
  for (const attempt of [1, 2]) {
    for await (const message of mailbox.incoming({ consumer: 'bot' })) {
      expect(message.subject).toBe('a')
      expect(message.attempt).toBe(attempt)
      break
    }
    expect(await state()).toEqual({ waiting: 1, leased: 0, dead: 0 })
  }
  const failing = async () => {
    for await (const _ of mailbox.incoming({ consumer: 'bot' })) throw new Error('own')
  }
  // From the third attempt on it is waited with.
  await clock.advance(10_000)
  await expect(failing()).rejects.toThrow('own')
  await clock.advance(20_000)
  const other = await world.open()
  expect((await nextOf(other.incoming({ consumer: 'bot' }))).attempt).toBe(4)
  await other.close()
  expect(await state()).toMatchObject({ waiting: 1, leased: 0 })
})

test('S4: a body that fails at the same mail again and again ends in dead letters, however it leaves its loop', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, state, clock } = world
  await mail('poison')
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    const loop = mailbox.incoming({ consumer: 'bot' })
    const message = await nextOf(loop)
    expect(message.attempt).toBe(attempt)
    await (attempt % 2 ? loop.return() : loop.throw?.(new Error('own')).catch(() => {}))
    await clock.advance(10_000 * 2 ** Math.max(0, attempt - 2))
  }
  expect(await state()).toMatchObject({ waiting: 0, leased: 0, dead: 1 })
})

test('S4: what was only taken ahead does not count', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, clock } = world
  for (const subject of ['a', 'b', 'c', 'd']) await mail(subject)
  const loop = mailbox.incoming({ consumer: 'bot' })
  await nextOf(loop)
  // Its bodies were quick: now it takes some ahead.
  await nextOf(loop)
  await nextOf(loop)
  await loop.return()
  await clock.advance(30_000)
  const left = mailbox.incoming({ consumer: 'bot' })
  expect(await nextOf(left)).toMatchObject({ subject: 'c' })
  const last = await nextOf(left)
  expect(last.subject).toBe('d')
  expect(last.attempt).toBe(1)
})

test('S4: keeps a message while the body runs, and hands out again what a dead process had', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, clock, faults } = world
  await mail('long')
  const loop = mailbox.incoming({ consumer: 'bot' })
  const message = await nextOf(loop)
  const other = (await world.open()).incoming({ consumer: 'bot' })
  let redelivered: Message | undefined
  void nextOf(other).then((next) => (redelivered = next))
  await clock.advance(60_000)
  await expect(message.extend()).resolves.toBeUndefined()
  expect(redelivered).toBeUndefined()
  faults.before = /extend/
  await clock.advance(26_000)
  await eventually(() => redelivered !== undefined)
  expect(redelivered).toMatchObject({ id: message.id, attempt: 2 })
  faults.before = null
  await expect(message.extend()).rejects.toMatchObject({ code: 'lease_lost' })
})

test('S4: a process that was frozen does not begin with a message whose lease it lost meanwhile', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, clock, faults, state } = world
  await mail('a')
  let thaw = () => {}
  faults.held = { what: /\/lease$/, until: new Promise((resolve) => (thaw = resolve)) }
  const frozen = nextOf(mailbox.incoming({ consumer: 'bot' }))
  await eventually(async () => (await state()).leased === 1)
  faults.held = null
  clock.jump(30_000)
  const other = await nextOf((await world.open()).incoming({ consumer: 'bot' }))
  expect(other).toMatchObject({ subject: 'a', attempt: 2 })
  thaw()
  await mail('b')
  expect((await frozen).subject).toBe('b')
})

test('S4: a process does not handle a message twice at once, though its lease was lost', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, clock, faults } = world
  await mail('a')
  const signals: AbortSignal[] = []
  const ends: (() => void)[] = []
  let running = 0
  let most = 0
  const run = mailbox.run(
    async (_message, { signal }) => {
      signals.push(signal)
      most = Math.max(most, ++running)
      await new Promise<void>((resolve) => ends.push(resolve))
      running -= 1
    },
    { consumer: 'bot', concurrency: 2 },
  )
  await eventually(() => ends.length === 1)
  faults.before = /extend/
  await clock.advance(26_000)
  faults.before = null
  const passes = (isSo: () => boolean) =>
    eventually(async () => {
      if (!isSo()) await clock.advance(1_000)
      return isSo()
    })
  // The message was leased again: to this process, since there is no other.
  await passes(() => signals[0]!.aborted)
  ends[0]!()
  await passes(() => ends.length === 2)
  ends[1]!()
  await run.stop()
  expect(most).toBe(1)
})

test('S5: one message has one reply, in whatever words, across turns and lost answers', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, clock, faults, sent } = world
  await mail('question')
  const first = await nextOf(mailbox.incoming({ consumer: 'bot' }))
  faults.after = /reply/
  const replying = first.reply({ text: 'one' })
  await eventually(async () => (await sent()).length === 1)
  faults.after = null
  await clock.advance(10_000)
  expect(await replying).toMatchObject({ idempotent: true })
  await expect(first.reply({ text: 'two' })).rejects.toMatchObject({ code: 'already_replied' })
  await first.nack()
  const again = await nextOf((await world.open()).incoming({ consumer: 'bot' }))
  expect(again).toMatchObject({ id: first.id, attempt: 2 })
  const thread = await again.thread()
  expect(await thread.reply({ text: 'in other words' })).toMatchObject({ idempotent: true })
  expect(await again.reply({ text: 'more', key: 'more' })).toMatchObject({ idempotent: false })
  expect((await sent()).map(({ preview }) => preview).sort()).toEqual(['more', 'one'])
  const elsewhere = await nextOf(mailbox.incoming({ consumer: 'another', from: 'start' }))
  expect(await elsewhere.reply({ text: 'of another consumer' })).toMatchObject({ idempotent: false })
})

test('S5: a draft stands for the reply: a message that is handled again has this draft, and no reply beside it', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, sent, open } = world
  await mail('question')
  const first = await nextOf(mailbox.incoming({ consumer: 'bot' }))
  const draft = await first.draft({ text: 'one' })
  await expect(first.reply({ text: 'two' })).rejects.toMatchObject({ code: 'already_drafted' })
  await expect(first.draft({ text: 'two' })).rejects.toMatchObject({ code: 'already_drafted' })
  await first.reply({ text: 'It is looked at', key: 'receipt' })
  await first.nack()
  const again = await nextOf((await open()).incoming({ consumer: 'bot' }))
  await expect(again.reply({ text: 'in other words' })).rejects.toMatchObject({
    code: 'drafted_before',
    details: { draft_id: draft.id },
  })
  expect((await again.draft({ text: 'in other words' })).id).toBe(draft.id)
  await draft.send()
  const { messageId } = (await mailbox.messages.list({ direction: 'outbound' })).items.map(({ record }) => ({
    messageId: record.id,
  }))[0]!
  await again.nack({ delayMs: 0 })
  const third = await nextOf((await open()).incoming({ consumer: 'bot' }))
  expect(await third.reply({ text: 'a third time' })).toMatchObject({ id: messageId, idempotent: true })
  expect((await sent()).map(({ preview }) => preview).sort()).toEqual(['It is looked at', 'one'])
})

test('S5: what was replied to gets no draft, and a deleted draft no reply; run() takes both as handled', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, state, clock, sent } = world
  await mail('replied', 'drafted')
  const codes: string[] = []
  const attempts = new Map<string, number>()
  const run = mailbox.run(
    async (message) => {
      const attempt = (attempts.get(message.subject) ?? 0) + 1
      attempts.set(message.subject, attempt)
      const text = `attempt ${attempt}`
      const isReply = (message.subject === 'replied') === (attempt === 1)
      const answering = isReply ? message.reply({ text }) : message.draft({ text })
      const answer = await answering.catch((error) => {
        codes.push(error.code)
        throw error
      })
      if (message.subject === 'drafted') await mailbox.drafts.delete(answer.id)
      throw new Error('after the answer')
    },
    { consumer: 'bot', onError: () => {} },
  )
  await eventually(async () => {
    await clock.advance(1_000)
    const { waiting, leased } = await state()
    return codes.length === 2 && waiting + leased === 0
  })
  await run.stop()
  expect(codes.sort()).toEqual(['drafted_before', 'replied_before'])
  expect((await sent()).map(({ preview }) => preview)).toEqual(['attempt 1'])
})

test('dead letters are seen, and sent round again', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, clock } = world
  await mail('good', 'bad', 'worse')
  const bot = mailbox.consumer('bot')
  await expect(bot.state()).rejects.toMatchObject({ code: 'not_found' })
  let fails = true
  const done: string[] = []
  const run = mailbox.run(
    async (message) => {
      const { subject, redriven } = message
      if (fails && subject !== 'good') return message.nack({ delayMs: 0 })
      done.push(`${subject} ${redriven}`)
    },
    { consumer: 'bot' },
  )
  await eventually(async () => (await bot.state().catch(() => null))?.dead === 2)
  const page = await bot.deadLetters({ limit: 1 })
  expect(page.items).toMatchObject([{ attempts: 10, message: { subject: 'bad' } }])
  expect(page.items[0]!.deadAt.getTime()).toBeLessThanOrEqual(clock.now())
  const rest = await bot.deadLetters({ cursor: page.nextCursor! })
  expect(rest.items.map(({ message }) => message.subject)).toEqual(['worse'])
  fails = false
  expect(await bot.redrive([])).toBe(0)
  expect(await bot.redrive([page.items[0]!.message])).toBe(1)
  await eventually(() => done.includes('bad true'))
  expect(await bot.redrive()).toBe(1)
  await eventually(() => done.includes('worse true'))
  await run.stop()
  expect(await bot.state()).toMatchObject({ name: 'bot', waiting: 0, leased: 0, dead: 0 })
  await bot.delete()
  await bot.delete()
  await expect(bot.state()).rejects.toMatchObject({ code: 'not_found' })
})

test('S6: loops and next() at once share the work, one message of a thread at a time', async () => {
  await using world = await openConsuming()
  const { mailbox, mail } = world
  await mail('a', 'a:2', 'b', 'c')
  const loop = mailbox.incoming({ consumer: 'bot' })
  const [one, other] = await Promise.all([nextOf(loop), nextOf(loop)])
  const third = await nextOf((await world.open()).incoming({ consumer: 'bot' }))
  expect([one, other, third].map(({ subject }) => subject).sort()).toEqual(['a', 'b', 'c'])
  expect((await nextOf(loop)).subject).toBe('a:2')
  const shared = mailbox.incoming({ consumer: 'shared' })
  const seen: string[] = []
  const work = async () => {
    for await (const message of shared) {
      seen.push(message.subject)
      if (seen.length === 4) await mailbox.close()
    }
  }
  await Promise.all([work(), work()])
  expect(seen.sort()).toEqual(['a', 'a:2', 'b', 'c'])
})

test('ack and nack by hand stand, and are refused for a message that no consumer handed out', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, state, clock } = world
  await mail('a', 'b')
  const loop = mailbox.incoming({ consumer: 'bot' })
  const a = await nextOf(loop)
  await a.ack()
  expect(await state()).toMatchObject({ leased: 0, waiting: 1 })
  const b = await nextOf(loop)
  await b.nack({ delayMs: 60_000 })
  const again = nextOf(loop)
  expect(await state()).toMatchObject({ leased: 0, waiting: 1 })
  await clock.advance(60_000)
  expect(await again).toMatchObject({ id: b.id, attempt: 2 })
  const listed = await mailbox.messages.get(a.id)
  for (const verb of ['ack', 'nack', 'extend'] as const)
    await expect(listed[verb]()).rejects.toMatchObject({ code: 'not_leased' })
  expect(listed).toMatchObject({ attempt: 1, redriven: false })
})

test('what a filter does not want counts as handled; a filter that throws ends the loop and gives the message back', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, state } = world
  await mail('a', 'b', 'c')
  const wanted = mailbox.incoming({ consumer: 'bot', filter: ({ subject }) => subject === 'b' })
  expect((await nextOf(wanted)).subject).toBe('b')
  await wanted.return()
  const broken = mailbox.incoming({
    consumer: 'bot',
    filter: () => {
      throw new Error('filter')
    },
  })
  await expect(broken.next()).rejects.toMatchObject({ code: 'filter_failed', cause: { message: 'filter' } })
  expect(await broken.next()).toMatchObject({ done: true })
  await eventually(async () => (await state()).leased === 0)
  expect(await state()).toMatchObject({ waiting: 2 })
})

test('takes ahead while bodies are quick, and gives back as soon as one is not', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, state, clock, requests } = world
  await mail(...Array.from({ length: 40 }, (_, at) => `m${at}`))
  const loop = mailbox.incoming({ consumer: 'bot' })
  for (let at = 0; at < 20; at++) expect((await nextOf(loop)).subject).toBe(`m${at}`)
  expect(requests.filter((what) => what.endsWith('/lease')).length).toBeLessThan(8)
  await clock.advance(100)
  await eventually(async () => (await state()).leased === 1)
  const rest: string[] = []
  for (let at = 20; at < 40; at++) {
    rest.push((await nextOf(loop)).subject)
    await clock.advance(150)
  }
  expect(rest.sort()).toEqual(Array.from({ length: 20 }, (_, at) => `m${20 + at}`))
  await loop.return()
  expect(await state()).toMatchObject({ waiting: 1, leased: 0 })
})

test('acknowledges what was handled in one turn of the event loop with one request', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, state, requests } = world
  await mail(...Array.from({ length: 15 }, (_, at) => `m${at}`))
  const loop = mailbox.incoming({ consumer: 'bot' })
  for (let at = 0; at < 15; at++) await nextOf(loop)
  await loop.return()
  await eventually(async () => (await state()).leased === 0)
  expect(await state()).toMatchObject({ waiting: 1 })
  // It takes 1, 2, 4 and 8; the last is not acknowledged.
  expect(requests.filter((what) => what.endsWith('/ack'))).toHaveLength(4)
})

test('an aborted signal ends the loop once the body is done, whose message is acknowledged', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, state } = world
  await mail('a', 'b')
  const controller = new AbortController()
  const loop = mailbox.incoming({ consumer: 'bot', signal: controller.signal })
  await loop.next()
  controller.abort('enough')
  await expect(loop.next()).rejects.toBe('enough')
  expect(await loop.next()).toMatchObject({ done: true })
  await eventually(async () => (await state()).leased === 0)
  expect(await state()).toMatchObject({ waiting: 1 })
  await expect(mailbox.incoming({ consumer: 'bot', signal: controller.signal }).next()).rejects.toBe('enough')
  const stopped = mailbox.incoming({ consumer: 'bot' })
  expect((await nextOf(stopped)).subject).toBe('b')
  stopped.stop()
  expect(await stopped.next()).toMatchObject({ done: true })
  await eventually(async () => (await state()).waiting === 0)
})

test('acknowledgements and leases survive a network that fails', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, state, clock, faults } = world
  await mail('a', 'b')
  const loop = mailbox.incoming({ consumer: 'bot' })
  const a = await nextOf(loop)
  faults.before = /consumers/
  const acked = a.ack()
  const next = nextOf(loop)
  await clock.advance(4 * 60_000)
  faults.before = null
  await clock.advance(60_000)
  await acked
  expect((await next).subject).toBe('b')
  expect(await state()).toMatchObject({ waiting: 0, leased: 1 })
})

test('S4: messages whose answer got lost are had again at once, as the same attempt', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, state, clock, faults } = world
  faults.after = /lease/
  const first = nextOf(mailbox.incoming({ consumer: 'bot' }))
  await mail('a')
  await eventually(async () => (await state()).leased === 1)
  faults.after = null
  await clock.advance(1_000)
  const message = await first
  expect(message.subject).toBe('a')
  await message.ack()
  expect(await state()).toMatchObject({ waiting: 0, leased: 0 })
})

test('S9: what was not handled is found from messages, long after its events are gone', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, clock, real } = world
  await mail('old')
  const { head } = (await real.call('GET', '/events')).body
  await mail('new')
  await mailbox.close()
  clock.jump(31 * 24 * 60 * 60_000)
  await eventually(async () => (await real.call('GET', `/events?after=${head - 1}`)).status === 410)
  const loop = (await world.open()).incoming({ consumer: 'bot' })
  expect((await nextOf(loop)).subject).toBe('old')
  expect((await nextOf(loop)).subject).toBe('new')
})

test('a loop ends with what the service refuses for good', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, real, requests } = world
  await mail('a')
  await nextOf(mailbox.incoming({ consumer: 'bot' }))
  await expect(mailbox.incoming({ consumer: 'bot', spam: true }).next()).rejects.toMatchObject({
    code: 'consumer_exists',
  })
  await expect(mailbox.incoming({ consumer: 'no name' }).next()).rejects.toMatchObject({
    code: 'invalid_request',
  })
  const waiting = mailbox.incoming({ consumer: 'bot' }).next()
  await eventually(() => requests.filter((what) => what === 'POST /consumers/bot/lease').length === 2)
  await real.call('DELETE', '/consumers/bot')
  await expect(waiting).rejects.toMatchObject({ code: 'not_found' })
})

test('S4: a message whose reply is refused for good is acknowledged, under whatever id the reply was to go', async () => {
  await using world = await openConsuming()
  const { mailbox, mail, real, state } = world
  await mail('a', 'b')
  await real.call('POST', '/suppressions', { body: { address: 'ana@example.com' } })
  const loop = mailbox.incoming({ consumer: 'bot' })
  for (const clientId of [undefined, 'own-1']) {
    const message = await nextOf(loop)
    await expect(message.reply({ text: 'Hi', ...(clientId && { clientId }) })).rejects.toMatchObject({
      code: 'recipient_suppressed',
    })
  }
  expect(await state()).toEqual({ waiting: 0, leased: 0, dead: 0 })
})
