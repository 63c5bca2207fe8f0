import { availableParallelism, loadavg } from 'node:os'
import type { Event } from 'restante/protocol'
import { createWorld, type World, type WorldOptions } from 'restante/testing'
import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test } from 'vitest'

/** A crowded machine counts a part of what other processes do as ours. */
const isCrowded = () => loadavg()[0]! > availableParallelism()

async function opened(options?: WorldOptions) {
  const world = await createWorld(options)
  onTestFinished(() => world[Symbol.asyncDispose]())
  const mailbox = await world.open()
  const ana = world.person('Ana <ana@example.com>')
  return { world, mailbox, ana, hello: { to: mailbox.address, subject: 'Hello', text: 'Anybody?' } }
}

async function logOf({ world }: { world: World }): Promise<Event[]> {
  const { apiKey } = await world.host.home()
  const request = new Request('http://x/v1/events?after=0&limit=500', {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  return ((await (await world.host.fetch(request)).json()) as { events: Event[] }).events
}

describe('a person of a world', () => {
  test('writes, gets the answer, and goes on in the same thread', async () => {
    const { mailbox, ana, hello } = await opened()
    const incoming = mailbox.incoming()
    await ana.write(hello)
    const first = (await incoming.next()).value!
    expect(first).toMatchObject({ from: { address: 'ana@example.com', name: 'Ana' }, verified: true })
    await first.reply({ text: 'I am.' })
    const answer = await ana.received()
    expect(answer).toMatchObject({
      subject: 'Re: Hello',
      to: ['ana@example.com'],
      inReplyTo: expect.any(String),
    })
    await ana.reply({ text: 'Thanks.', attachments: [{ filename: 'a.txt', content: 'a file' }] })
    const second = (await incoming.next()).value!
    expect(second).toMatchObject({ text: 'Thanks.', threadId: first.threadId, subject: 'Re: Hello' })
    expect((await second.body()).text).toMatch(/> I am\./)
    expect(new TextDecoder().decode(await second.attachments[0]!.content())).toBe('a file')
  })

  test('is the same by any spelling of their address', async () => {
    const { world, ana } = await opened()
    expect(world.person('ANA@example.com')).toBe(ana)
    expect(() => world.person('nobody')).toThrow('is not an email address')
  })

  test('whose server refuses gets nothing, and the sender hears of it', async () => {
    const { world, mailbox, ana } = await opened()
    const heard: string[] = []
    mailbox.on('event', ({ type }) => heard.push(type))
    ana.refuse('550 5.1.1 No such user')
    await mailbox.send({ to: ana.address, text: 'Hi' })
    await world.settle()
    expect(heard).toContain('message.bounced')
    expect(ana.mails).toEqual([])
  })

  test('who is impersonated is not verified; an address without an inbox is refused', async () => {
    const { mailbox, ana, hello } = await opened()
    const incoming = mailbox.incoming()
    await ana.write({ ...hello, forged: true })
    expect((await incoming.next()).value!.verified).toBe(false)
    await expect(ana.write({ ...hello, to: 'none@restante.localhost' })).rejects.toMatchObject({
      code: 'mailbox_unavailable',
    })
  })

  test('who stops waiting takes no mail from the next who waits', async () => {
    const { mailbox, ana } = await opened()
    const early = ana.received({ timeoutMs: 5 })
    const late = ana.received()
    await expect(early).rejects.toMatchObject({ code: 'nothing_received' })
    await mailbox.send({ to: ana.address, text: 'One' })
    expect((await late).replyText).toBe('One')
    await mailbox.send({ to: ana.address, text: 'Two' })
    expect((await ana.received()).replyText).toBe('Two')
  })

  test('waits for a mail, and says what to do where none comes', async () => {
    const { mailbox, ana } = await opened()
    await expect(ana.received({ timeoutMs: 5 })).rejects.toMatchObject({ code: 'nothing_received' })
    const waiting = ana.received()
    await mailbox.send({ to: ana.address, text: 'Hi' })
    expect((await waiting).replyText).toBe('Hi')
    await expect(world_reply()).rejects.toMatchObject({ code: 'nothing_to_reply_to' })
    async function world_reply() {
      const { ana: other } = await opened()
      return other.reply({ text: 'To what?' })
    }
  })
})

describe('the clock of a world', () => {
  test('moves service and mailbox together, and nothing waits in the time of the machine', async () => {
    const { world, mailbox, ana } = await opened({ startAt: new Date('2026-03-01T09:00:00Z') })
    await mailbox.client.messages.send({
      inbox_id: mailbox.inboxes[0]!.id,
      to: [ana.address],
      text: 'Later',
      scheduled_at: '2026-03-01T09:20:00Z',
    })
    await world.advance({ minutes: 19, seconds: 59 })
    expect(ana.mails).toEqual([])
    await world.advance({ seconds: 10 })
    expect(ana.mails).toMatchObject([{ text: expect.stringContaining('Later') }])
    expect(ana.mails[0]!.receivedAt.getTime()).toBeLessThan(Date.parse('2026-03-01T09:20:06Z'))
    expect(new Date(world.clock.now()).toISOString()).toBe('2026-03-01T09:20:09.000Z')
    expect(mailbox.state.status).toBe('live')
  })

  test('is the clock of every mailbox, also where none is given', async () => {
    const { world } = await opened()
    const mailbox = await world.open({ clock: undefined })
    const wait = mailbox.waitFor({ subject: 'Never' }, { timeoutMs: 60_000 })
    const codes: string[] = []
    wait.catch(({ code }) => void codes.push(code))
    await world.advance({ minutes: 2 })
    expect(codes).toEqual(['wait_timed_out'])
  })

  test('advances at once where nothing is due', async () => {
    const world = await createWorld()
    await world.stop()
    const before = world.clock.now()
    await world.advance({ days: 365 })
    expect(world.clock.now() - before).toBe(365 * 86_400_000)
    await world[Symbol.asyncDispose]()
  })

  test('calls what is due in order, and lets what follows happen between', async () => {
    const { world } = await opened()
    const calls: string[] = []
    const at = (seconds: number, name: string) =>
      world.clock.after(seconds * 1_000, async () => {
        await world.host.home()
        calls.push(name)
      })
    at(2, 'b')
    at(1, 'a')
    at(2, 'c')
    world.clock.after(500, () => calls.push('never'))()
    await world.advance({ seconds: 1 })
    expect(calls).toEqual(['a'])
    await world.advance({ seconds: 1 })
    expect(calls).toEqual(['a', 'b', 'c'])
  })
})

describe('a week in which nothing happens', () => {
  test('takes at most two seconds of the processor', async () => {
    const { world, mailbox, ana, hello } = await opened()
    await ana.write(hello)
    await world.advance({ minutes: 1 })
    const before = process.cpuUsage()
    await world.advance({ days: 7 })
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1e6).toBeLessThan(isCrowded() ? 8 : 2)
    expect(mailbox.state.status).toBe('live')
  })

  test('ends with what falls due: a scheduled message, a key that expires, a retry of a webhook', async () => {
    const { world, mailbox, ana, hello } = await opened()
    const since: string[] = []
    mailbox.on('state', ({ status }) => since.push(status))
    const at = (ms: number) => new Date(world.clock.now() + ms).toISOString()
    const hour = 3_600_000
    const startMs = world.clock.now()
    await mailbox.client.messages.send({
      inbox_id: mailbox.inboxes[0]!.id,
      ...{ to: ['ana@example.com'], subject: 'Later', text: 'Now.', scheduled_at: at(50.5 * hour + 1_234) },
    })
    const { tenant_id: account_id } = await mailbox.account()
    const expires = { scopes: ['read' as const], expires_at: at(26.25 * hour) }
    const { api_key: apiKey } = await world.host.keys.create({ account_id, name: 'Short', ...expires })
    let closedMs = 0
    const other = await world.open({ apiKey })
    other.on('state', ({ status }) => {
      if (status === 'closed') closedMs ||= world.clock.now()
    })
    const endpoint = await world.webhook({ events: ['message.received'] })
    endpoint.answer(() => new Response('busy', { status: 500 }))
    await ana.write(hello)
    await world.advance({ days: 7 })
    expect(since).not.toContain('stale')
    expect(mailbox.state.status).toBe('live')
    expect(closedMs - startMs - 26.25 * hour).toBeLessThan(1_000)
    const sent = (await logOf({ world })).find(({ type }) => type === 'message.sent')!
    expect(Date.parse(sent.created_at) - startMs - 50.5 * hour).toBeGreaterThan(1_000)
    expect(Date.parse(sent.created_at) - startMs - 50.5 * hour).toBeLessThan(7_000)
    const attempts = endpoint.requests.length
    expect(attempts).toBe(10)
    // What happens after a week is noticed at once.
    const before = world.clock.now()
    await ana.write({ ...hello, text: 'Still there?' })
    await world.settle()
    expect(world.clock.now()).toBe(before)
    expect((await mailbox.messages.list()).items[0]?.preview).toBe('Still there?')
  })
})

describe('a fault', () => {
  test('that loses a request or an answer lets the reply go out once', async () => {
    for (const place of ['requests', 'answers'] as const) {
      const { world, mailbox, ana } = await opened()
      world.faults.drop(place, { times: 2 })
      const sending = mailbox.send({ to: ana.address, text: 'Once' })
      await world.advance({ seconds: 10 })
      expect(await sending).toMatchObject({ idempotent: place === 'answers' })
      expect(ana.mails).toHaveLength(1)
    }
  })

  test('that repeats or delays a request lets it be carried out once', async () => {
    const { world, mailbox, ana } = await opened()
    world.faults.duplicate('requests')
    await mailbox.send({ to: ana.address, text: 'Once' })
    await world.settle()
    expect(ana.mails).toHaveLength(1)
    world.faults.delay('requests', { seconds: 3 })
    const late = mailbox.send({ to: ana.address, text: 'Late' })
    await world.advance({ seconds: 2 })
    expect(ana.mails).toHaveLength(1)
    await world.advance({ seconds: 1 })
    await late
    expect(ana.mails).toHaveLength(2)
  })

  test('that loses, doubles, delays or shuffles frames lets every event be told once, in order', async () => {
    const { world, mailbox, ana, hello } = await opened()
    const start = mailbox.state.cursor
    const seqs: number[] = []
    mailbox.on('event', ({ seq }) => seqs.push(seq))
    for (let round = 0; round < 4; round += 1) {
      world.faults.drop('frames')
      world.faults.reorder('frames')
      world.faults.duplicate('frames')
      world.faults.delay('frames', { seconds: 2 })
      for (let count = 0; count < 3; count += 1) await ana.write({ ...hello, subject: `${round}.${count}` })
      await world.advance({ seconds: 3 })
    }
    world.faults.clear()
    await world.advance({ seconds: 30 })
    const head = (await logOf({ world })).length
    expect(seqs).toEqual(Array.from({ length: head - start }, (_, index) => start + index + 1))
    expect(mailbox.state).toMatchObject({ status: 'live', lag: 0 })
  })

  test('that loses every frame has the mailbox give up its socket, and catch up', async () => {
    const { world, mailbox, ana, hello } = await opened()
    const subjects: string[] = []
    mailbox.on('message', ({ subject }) => void subjects.push(subject))
    world.faults.drop('frames', { times: 10 })
    await ana.write(hello)
    await world.advance({ seconds: 50 })
    expect(subjects).toEqual(['Hello'])
    expect(mailbox.state).toMatchObject({ status: 'live', lag: 0 })
  })

  test('that loses a mail on its way has it tried again, and one that repeats it brings the same mail', async () => {
    const { world, mailbox, ana } = await opened()
    world.faults.drop('mails')
    world.faults.duplicate('mails')
    await mailbox.send({ to: ana.address, text: 'Hi' })
    await world.settle()
    expect(ana.mails).toHaveLength(0)
    await world.advance({ minutes: 10 })
    expect(ana.mails).toHaveLength(2)
    expect(ana.mails[0]!.messageId).toBe(ana.mails[1]!.messageId)
  })

  test('that breaks connections has them made anew', async () => {
    const { world, mailbox } = await opened()
    const states: string[] = []
    mailbox.on('state', ({ status }) => states.push(status))
    world.disconnect()
    await world.settle()
    expect(states).toEqual(['stale'])
    await world.advance({ seconds: 1 })
    expect(mailbox.state.status).toBe('live')
  })
})

describe('a service that is killed', () => {
  test('keeps what it said it had, and the mailbox goes on', async () => {
    const { world, mailbox, ana, hello } = await opened()
    const incoming = mailbox.incoming()
    await ana.write(hello)
    await world.stop()
    await expect(ana.write(hello)).rejects.toThrow('is stopped')
    await world.advance({ minutes: 1 })
    expect(mailbox.state.status).toBe('stale')
    await world.start()
    await ana.write({ ...hello, subject: 'After' })
    await world.advance({ minutes: 1 })
    const subjects = [(await incoming.next()).value!.subject, (await incoming.next()).value!.subject]
    expect(subjects).toEqual(['Hello', 'After'])
  })

  test('in the middle of a delivery sends the same mail again', async () => {
    const { world, mailbox, ana } = await opened()
    const [{ seq: before = 0 } = {}] = (await logOf({ world })).slice(-1)
    world.faults.delay('mails', { seconds: 5 })
    const { messageId } = await mailbox.send({ to: ana.address, text: 'Hi' })
    await world.settle()
    await world.restart()
    await world.advance({ minutes: 1 })
    expect(ana.mails.map((mail) => mail.messageId)).toEqual([messageId])
    const types = (await logOf({ world })).filter(({ seq }) => seq > before).map(({ type }) => type)
    expect(types.filter((type) => type === 'message.sent')).toHaveLength(1)
  })
})

test('a webhook reaches its endpoint signed, and is tried again where it was lost', async () => {
  const { world, ana, hello } = await opened()
  const endpoint = await world.webhook({ events: ['message.received'] })
  const subjects: string[] = []
  endpoint.answer(async (request) => {
    const headers = Object.fromEntries(request.headers)
    const event = new Webhook(endpoint.secret).verify(await request.text(), headers) as Event
    subjects.push((event.data as { subject: string }).subject)
    return new Response(null, { status: 204 })
  })
  world.faults.drop('webhooks')
  await ana.write(hello)
  await world.settle()
  expect(subjects).toEqual([])
  await world.advance({ seconds: 10 })
  expect(subjects).toEqual(['Hello'])
  world.faults.duplicate('webhooks')
  await ana.write({ ...hello, subject: 'Twice' })
  await world.settle()
  expect(subjects).toEqual(['Hello', 'Twice', 'Twice'])
})

test('what is made while the clock stands is listed in the order in which it was made', async () => {
  await using world = await createWorld()
  const { client } = await world.open()
  const names = Array.from({ length: 12 }, (_, index) => `label ${index}`)
  for (const name of names) await client.labels.create({ name })
  const { labels } = await client.labels.list({})
  expect(labels.filter(({ system }) => !system).map(({ name }) => name)).toEqual(names)
})

test('a copy of a mail to a person outside goes to them, as their server would take it', async () => {
  await using world = await createWorld()
  const mailbox = await world.open()
  const third = world.person('third@outside.example')
  const ana = world.person('ana@example.com')
  const cc = ['Third <third@outside.example>']
  const { id } = await ana.write({ to: mailbox.address, cc, subject: 'Both of you', text: 'Hello' })
  expect(await mailbox.messages.get(id)).toMatchObject({ cc: ['third@outside.example'] })
  expect(await third.received()).toMatchObject({ subject: 'Both of you' })
  await expect(ana.write({ to: cc, text: 'Hello' })).rejects.toMatchObject({ code: 'mailbox_unavailable' })
})
