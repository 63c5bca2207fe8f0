import type { Event } from 'restante'
import { createWorld, type Endpoint, type FaultPlace, type World } from 'restante/testing'
import { expect } from 'vitest'
import { Crew, consumer, type Way } from './crew'
import { Life } from './life'

export const places: readonly FaultPlace[] = ['frames', 'requests', 'answers', 'webhooks', 'mails']
const person = 'ana@example.com'

/** A world with an agent in it, and everything that was seen of them. */
export class Scene {
  readonly world: World
  readonly #endpoint: Endpoint
  readonly #lives: Life[] = []
  /** Message-IDs by message. */
  readonly #written = new Map<string, string>()
  readonly #threads = new Map<number, string>()
  readonly #log: Event[] = []
  /** The inbox in which each message came in. */
  readonly #positions = new Map<string, number>()
  readonly #crew = new Crew(this.#positions)
  /** Counts how often each event was handled by the webhook of each life, and which were answered with 2xx. */
  readonly #hooked = new Map<string, number>()
  readonly #answered = new Set<string>()
  #failingHooks = 0
  /** Up to here the service may have forgotten its log. */
  #cutUpTo = 0
  #count = 0
  #receive: (request: Request) => Promise<Response> = async () => new Response(null, { status: 503 })

  private constructor(world: World, endpoint: Endpoint) {
    this.world = world
    this.#endpoint = endpoint
  }

  static async open(): Promise<Scene> {
    const startAt = new Date('2026-03-01T09:00:00Z')
    const world = await createWorld({ startAt, service: { keepEventsDays: 1 } })
    const scene = new Scene(world, await world.webhook({ events: ['message.received'] }))
    await scene.#openLife()
    return scene
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const life of this.#lives) void life.end()
    await this.world.advance({ seconds: 5 })
    await this.world[Symbol.asyncDispose]()
  }

  get #life(): Life {
    return this.#lives.findLast(({ isOver }) => !isOver)!
  }

  /** A mail into one of a few threads; a person tries again for as long as the service is away. */
  async write(thread: number): Promise<void> {
    this.#count += 1
    const root = this.#threads.get(thread)
    const ana = this.world.person(person)
    const earlier = root ? ana.mails.find(({ inReplyTo }) => inReplyTo === root) : undefined
    const text = `Mail ${this.#count}`
    const to = this.#lives[0]!.mailbox.address
    const { id, messageId } = earlier
      ? await ana.reply({ to: earlier, text })
      : await ana.write({ to, subject: `Thread ${thread}`, text })
    this.#written.set(id, messageId)
    if (!root) this.#threads.set(thread, messageId)
    await this.#readLog()
  }

  async fault(place: FaultPlace, kind: 'drop' | 'delay' | 'duplicate' | 'reorder'): Promise<void> {
    if (kind === 'delay') this.world.faults.delay(place, { seconds: 3 })
    else this.world.faults[kind](place)
  }

  /** A worker of the consumer: in the agent's process, or in one of its own that dies. */
  async work(way: Way): Promise<void> {
    if (way === 'dies') await this.#openLife()
    this.#crew.begin(this.#life, way)
    await this.world.advance({ seconds: 1 })
    if (!this.#life) await this.#openLife()
  }

  async repeatWebhook(index: number): Promise<void> {
    const { requests } = this.#endpoint
    const request = requests[index % Math.max(1, requests.length)]
    if (request) await this.#inTime(this.#receive(new Request(request.url, { method: 'POST', ...request })))
  }

  failHook(): void {
    this.#failingHooks += 1
  }

  /** The agent's process ends, and another one begins. */
  async reopen(): Promise<void> {
    await this.#inTime(this.#life.end())
    await this.#openLife()
  }

  /** The work that waits for answers that may be late. */
  async #inTime<T>(work: Promise<T>): Promise<T> {
    for (let turn = 0; turn < 60; turn += 1)
      if (await Promise.race([work.then(() => true), this.world.advance({ seconds: 1 })])) break
    return work
  }

  /** The process hears nothing while mail comes in and the service forgets its log; then it hears again. */
  async missDays(mails: number): Promise<void> {
    const { line } = this.#life
    line.cut()
    for (let count = 0; count < mails; count += 1) await this.write(count % 2)
    await this.#readLog()
    this.#cutUpTo = this.#log.length
    this.#crew.expire()
    await this.world.sleep({ hours: 26 })
    line.mend()
    await this.world.advance({ seconds: 1 })
  }

  /** Nothing fails any more, and everybody has the time to come to an end. */
  async heal(): Promise<void> {
    this.world.faults.clear()
    this.#failingHooks = 0
    for (let turn = 0; turn < 40 && !(await this.#isDone()); turn += 1) {
      await this.work('acks')
      await this.world.advance({ seconds: 20 })
    }
    await this.#crew.finished()
    await this.#life.drain(this.#since(this.#life).length)
  }

  async expectInvariants(): Promise<void> {
    await this.#readLog()
    const seqs = this.#log.map(({ seq }) => seq)
    expect(seqs, 'S1: dense').toEqual(seqs.map((_, index) => index + 1))
    const received = [...this.#positions.keys()]
    expect(new Set(received), 'S1: every mail that was taken has its event').toEqual(
      new Set(this.#written.keys()),
    )
    expect(this.#crew.violations).toEqual([])
    for (const life of this.#lives) this.#expectLife(life)
    const last = this.#life
    const cursor = this.#log.length
    expect(last.mailbox.state, 'S8').toMatchObject({ status: 'live', lag: 0, cursor })
    expect(last.yielded, 'S9: whatever the log forgot').toEqual(this.#since(last))
    expect(last.rested, 'S7: a loop that rests loses nothing').toEqual(this.#since(last))
    expect(last.reported.toSorted(), 'listeners are told').toEqual(this.#since(last).toSorted())
    this.#expectHandled(received)
    this.#expectAnswers()
    this.#expectHooks()
    await this.#expectState()
  }

  /** The messages that came in since a life began, in order. */
  #since({ start }: Life): string[] {
    return [...this.#positions].filter(([, position]) => position > start).map(([id]) => id)
  }

  #expectLife(life: Life): void {
    const { start, seqs, yielded, rested, untrue } = life
    const jumps = seqs.flatMap((seq, index) => {
      const before = seqs[index - 1] ?? start
      // Only where the service has forgotten what comes next, a snapshot takes its place.
      return seq === before + 1 || (seq > before && before < this.#cutUpTo) ? [] : [`${before} to ${seq}`]
    })
    expect(jumps, 'S3: each event once, in order, without holes').toEqual([])
    for (const list of [yielded, rested])
      expect(list, 'a loop gets each message').toEqual(this.#since(life).slice(0, list.length))
    expect(untrue, 'S8: live means caught up').toBe(0)
  }

  #expectHandled(received: readonly string[]): void {
    const all = [...this.#crew.handled.values()].flat().map(({ id }) => id)
    expect(new Set(all), 'S4: each message is handled at least once').toEqual(new Set(received))
    for (const handled of this.#crew.handled.values()) {
      const firsts = handled.filter(({ id }, index) => handled.findIndex((one) => one.id === id) === index)
      const sorted = firsts.toSorted((first, second) => first.position - second.position)
      expect(firsts, 'S6: in order').toEqual(sorted)
    }
  }

  #expectAnswers(): void {
    const answers = new Map<string, Set<string | null>>()
    for (const { inReplyTo, messageId } of this.world.person(person).mails) {
      const original = String(inReplyTo)
      answers.set(original, (answers.get(original) ?? new Set()).add(messageId))
    }
    const wanted = [...this.#written.values()].map((original) => [original, 1])
    const counted = [...answers].map(([original, ids]) => [original, ids.size])
    expect(Object.fromEntries(counted), 'S5: one mail per message').toEqual(Object.fromEntries(wanted))
  }

  #expectHooks(): void {
    for (const times of this.#hooked.values()) expect(times, 'a webhook is handled once').toBe(1)
    for (const key of this.#answered)
      expect(this.#hooked.has(key), 'a webhook is answered once it is handled').toBe(true)
  }

  /** S2: what the mailbox holds after all events is what the service shows. */
  async #expectState(): Promise<void> {
    const { mailbox } = this.#life
    for (const id of this.#written.keys()) {
      const held = (await mailbox.messages.get(id)).record
      const { labels, delivery_status, thread_id, seq } = await mailbox.client.messages.get({ id })
      expect(held, 'S2').toMatchObject({ labels, delivery_status, thread_id, seq })
    }
  }

  async #openLife(): Promise<void> {
    // Small, so that both bounds are reached.
    const settings = { readAhead: 1 + (this.#lives.length % 3), maxCacheBytes: 20_000 }
    const life = await this.#inTime(Life.open(this.world, settings))
    const number = this.#lives.push(life)
    const onEvent = ({ id }: Event) => {
      if (this.#failingHooks > 0) {
        this.#failingHooks -= 1
        throw new Error('this handler fails')
      }
      const key = `${number} ${id}`
      this.#hooked.set(key, (this.#hooked.get(key) ?? 0) + 1)
    }
    const receive = life.mailbox.webhook({ secret: this.#endpoint.secret, onEvent })
    this.#receive = async (request) => {
      const { id } = (await request.clone().json()) as Event
      const response = await receive(request)
      if (response.ok) this.#answered.add(`${number} ${id}`)
      return response
    }
    this.#endpoint.answer(this.#receive)
  }

  async #isDone(): Promise<boolean> {
    const answer = await this.#get(`/consumers/${consumer}`)
    const { waiting, leased } = (await answer.json()) as { waiting: number; leased: number }
    const mails = this.world.person(person).mails
    const answered = new Set(mails.map(({ inReplyTo }) => inReplyTo))
    const { lag, status } = this.#life.mailbox.state
    const isLevel = status === 'live' && lag === 0
    const isAnswered = answered.size === this.#written.size
    return answer.ok && waiting + leased === 0 && this.#crew.isIdle && isLevel && isAnswered
  }

  async #readLog(): Promise<void> {
    const answer = await this.#get(`/events?after=${this.#log.length}&limit=500`)
    expect(answer.status).toBe(200)
    for (const event of ((await answer.json()) as { events: Event[] }).events) {
      this.#log.push(event)
      if (event.type === 'message.received') this.#positions.set(String(event.data.id), event.seq)
    }
  }

  /** Asks the service itself, by no network. */
  async #get(path: string): Promise<Response> {
    const { apiKey } = await this.world.host.home()
    const headers = { authorization: `Bearer ${apiKey}` }
    return this.world.host.fetch(new Request(`http://x/v1${path}`, { headers }))
  }
}
