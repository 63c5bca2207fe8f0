import { abortable } from '../client/abort'
import { type Client, createClient, type ServiceLike } from '../client/client'
import { findCodes } from '../mail/codes'
import { htmlToText } from '../mail/html/html-to-text'
import { findLinks } from '../mail/links'
import { parseMail, readAttachments } from '../mail/parse'
import { Mailbox } from '../mailbox/mailbox'
import type { MailboxSettings } from '../mailbox/settings'
import { checkOptions, type OptionNames } from '../protocol/options'
import type { RouteInput } from '../protocol/routes/route'
import type { Routes } from '../protocol/routes/routes'
import { verifySignatures } from '../service/inbound/authentication/verify-signatures'
import type { MailEnvelope } from '../service/inbound/ingest'
import { calendarIndexOf } from '../service/invitations/calendar-part'
import { defer } from '../service/outbound/delivery/outcome'
import type { Transport } from '../service/outbound/delivery/transport'
import type { EndpointAnswer, EndpointRequest, Extractor, MailParser, Resolver } from '../service/ports'
import { joinService, type Service } from '../service/service'
import { readSettings, type ServiceOptions } from '../service/settings'
import { openStore } from '../service/store/open-store'
import type { Store } from '../service/store/store'
import { Activity } from './activity'
import { DueTimes } from './due-times'
import { askHandler, type Endpoint, failed, type WebhookHandler } from './endpoint'
import { createLanes, Faults, type Lanes } from './faults'
import { type KeptStore, lendStore } from './kept-store'
import { Network } from './network'
import { Person } from './person'
import { type Duration, durationNames, milliseconds, VirtualClock } from './virtual-clock'

const loadCalendars = () => import('../service/invitations/calendar-tasks')

/** Parses in this thread: messages of a test are safe, and starting threads takes longer. */
const createParser = (activity: Activity): MailParser => ({
  parse: (raw, mailFrom) =>
    activity.during(async () => {
      const mail = await parseMail(raw, {}, mailFrom)
      return calendarIndexOf(mail) === null ? mail : (await loadCalendars()).withCalendar(mail, raw)
    }),
  occurrences: (...wanted) => activity.during(async () => (await loadCalendars()).occurrencesOf(...wanted)),
  attachments: (raw, indexes) => activity.during(() => readAttachments(raw, indexes)),
  findings: async ({ subject, text, html, senderDomain }) => ({
    codes: findCodes(subject, text),
    links: findLinks(text, html, senderDomain),
  }),
  markdown: (markdown) =>
    activity.during(async () => {
      const html = (await import('#markdown')).markdownToHtml(markdown)
      return { html, text: htmlToText(html) }
    }),
  htmlText: (html) => activity.during(async () => htmlToText(html)),
  posted: (...post) =>
    activity.during(async () =>
      (await import('../service/inbound/http/providers/posted-mail')).postedMail(...post),
    ),
  verifySignatures: (raw, task) => activity.during(() => verifySignatures(raw, task)),
  canRead: async () => true,
  waiting: () => 0,
  close: async () => {},
})

/** Reads files in this thread: they are those of the test's author. */
const createExtractor = (activity: Activity): Extractor => ({
  extract: (...file) =>
    activity.during(async () => (await import('../service/extraction/extract')).extractFile(...file)),
  open: (...file) =>
    activity.during(async () => (await import('../service/extraction/open')).openMessage(...file)),
  fileWithin: (...file) =>
    activity.during(async () => (await import('../service/extraction/open')).readFileWithin(...file)),
  close: async () => {},
})

/** Options of {@link createWorld}. */
export interface WorldOptions {
  /** Time at which the world begins. Default: now. */
  startAt?: Date | undefined
  /** Seed of the randomness of its clock. Default 1. */
  seed?: number | undefined
  /** Settings of the service, such as `plans`. */
  service?: ServiceOptions | undefined
}

const worldNames: OptionNames<WorldOptions> = { startAt: true, seed: 'number', service: true }
const openNames: OptionNames<MailboxSettings & { apiKey: string }> = {
  ...{ inbox: true, signal: true, source: true, openTimeoutMs: true, maxCacheBytes: true, readAhead: true },
  ...{ clock: true, apiKey: true },
}

/** One run of the service, from start to kill. */
interface Life {
  readonly service: Service
  readonly kept: KeptStore
  readonly killed: AbortController
}

const nowhere: Resolver = {
  mx: () => Promise.reject(Object.assign(new Error('no DNS in this world'), { code: 'ENOTFOUND' })),
  addresses: () => Promise.reject(Object.assign(new Error('no DNS in this world'), { code: 'ENOTFOUND' })),
  txt: () => Promise.reject(Object.assign(new Error('no DNS in this world'), { code: 'ENOTFOUND' })),
  ptr: () => Promise.reject(Object.assign(new Error('no DNS in this world'), { code: 'ENOTFOUND' })),
}

/**
 * A service in memory with people around it, on a clock that moves only by {@link World.advance}. It tests
 * what an agent does with its messages, without a network and without waiting.
 *
 * @example
 * ```ts
 * import { createWorld } from 'restante/testing'
 *
 * await using world = await createWorld()
 * const mailbox = await world.open()
 * const ana = world.person('ana@example.com')
 *
 * await ana.write({ to: mailbox.address, subject: 'Hello', text: 'Is anybody there?' })
 * const { items } = await mailbox.messages.list()
 * await items[0]?.reply({ text: 'I am.' })
 * console.log((await ana.received()).replyText)
 * ```
 */
export class World implements AsyncDisposable {
  /** Clock of the service and of every mailbox of the world. */
  readonly clock: VirtualClock
  /** Plans network faults. */
  readonly faults: Faults
  /** The service, across restarts, over a network that may fail: for `Mailbox.open({ service, clock })`. */
  readonly service: ServiceLike
  readonly #options: ServiceOptions
  readonly #store: Store
  readonly #activity: Activity
  readonly #due: DueTimes
  readonly #lanes: Lanes
  readonly #network: Network
  readonly #people = new Map<string, Person>()
  readonly #endpoints = new Map<string, { handler: WebhookHandler | null; requests: EndpointRequest[] }>()
  readonly #mailboxes = new Set<Mailbox>()
  #life: Life | null = null
  #mails = 0
  #posts = 0
  #client: Client | undefined

  /** @internal */
  constructor(store: Store, { startAt = new Date(), seed = 1, service = {} }: WorldOptions) {
    this.#store = store
    this.#activity = new Activity()
    this.clock = new VirtualClock({ nowMs: startAt.getTime(), seed, onChange: this.#activity.moved })
    this.#due = new DueTimes(store, this.clock)
    this.#options = {
      secret: 'the secret of a test world',
      log: 'silent',
      webhooksAllowPrivate: true,
      ...service,
    }
    this.#lanes = createLanes(this.clock)
    this.faults = new Faults(this.#lanes)
    this.#network = new Network({
      lanes: this.#lanes,
      activity: this.#activity,
      current: () => this.#life?.service ?? null,
      onLose: () => this.clock.stir(),
    })
    this.service = this.#network
  }

  /**
   * The service as its administrator has it, with approvals, keys and plans. A restart replaces it.
   *
   * @throws Error while the service is stopped
   */
  get host(): Service {
    if (this.#life) return this.#life.service
    throw new Error('the service of this world is stopped: call start() first')
  }

  /**
   * Opens a mailbox on the account of the service, on the clock of the world. It closes with the world.
   *
   * @example
   * ```ts
   * import { createWorld } from 'restante/testing'
   *
   * const world = await createWorld()
   * await using mailbox = await world.open({ source: 'poll' })
   * ```
   */
  async open(settings: MailboxSettings & { apiKey?: string | undefined } = {}): Promise<Mailbox> {
    checkOptions('world.open()', settings, openNames)
    const { clock = this.clock, ...others } = settings
    const mailbox = await Mailbox.open({ service: this.service, clock, ...others })
    this.#mailboxes.add(mailbox)
    return mailbox
  }

  /**
   * Returns the person with this address, with or without a name; always the same object for an address.
   *
   * @example
   * ```ts
   * import { createWorld } from 'restante/testing'
   *
   * const world = await createWorld()
   * const ana = world.person('Ana <ana@example.com>')
   * ```
   */
  person(who: string): Person {
    const person = new Person(who, {
      now: () => this.clock.now(),
      count: () => ++this.#mails,
      post: (envelope, raw) => this.#activity.during(() => this.#postMail(envelope, raw)),
    })
    const address = person.address.toLowerCase()
    const known = this.#people.get(address) ?? person
    this.#people.set(address, known)
    return known
  }

  /** Delivers a message of a person. Recipients outside the service get it directly. */
  async #postMail(envelope: MailEnvelope, raw: Uint8Array<ArrayBuffer>): Promise<{ queueId: string }> {
    const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()
    const inboxes = [...this.#mailboxes].flatMap((mailbox) => mailbox.inboxes.map(({ address }) => address))
    const own = new Set([(await this.host.home()).address, ...inboxes].map(domainOf))
    const outside = envelope.recipients.filter((address) => !own.has(domainOf(address)))
    // A message without a recipient here goes to the service, which refuses it.
    if (outside.length === envelope.recipients.length) return this.host.receive(envelope, raw)
    const recipients = envelope.recipients.filter((address) => !outside.includes(address))
    const taken = await this.host.receive({ ...envelope, recipients }, raw)
    for (const address of outside) await this.person(address).take(raw)
    return taken
  }

  /**
   * Creates a webhook of the account that leads to an endpoint in this process.
   *
   * @example
   * ```ts
   * import { createWorld } from 'restante/testing'
   *
   * const world = await createWorld()
   * const endpoint = await world.webhook({ events: ['message.received'] })
   * endpoint.answer((await world.open()).webhook({ secret: endpoint.secret }))
   * ```
   */
  async webhook(
    options: { events?: RouteInput<Routes['webhooks']['create']>['events'] | undefined } = {},
  ): Promise<Endpoint> {
    checkOptions<typeof options>('world.webhook()', options, { events: true })
    const { events = ['*'] } = options
    const url = `https://endpoint-${this.#endpoints.size + 1}.example/hook`
    const entry = { handler: null as WebhookHandler | null, requests: [] as EndpointRequest[] }
    this.#endpoints.set(url, entry)
    const { id, secret } = await (await this.#home()).webhooks.create({ url, events })
    return {
      ...{ id, secret, url },
      requests: entry.requests,
      answer: (handler) => {
        entry.handler = handler
      },
    }
  }

  /**
   * Moves the clock, timer by timer, and completes the effects of each before the next. Resolves once the
   * time has passed and nothing happens any more; if nothing is due, at once.
   *
   * @example
   * ```ts
   * import { createWorld } from 'restante/testing'
   *
   * const world = await createWorld()
   * await world.advance({ days: 1, hours: 2 })
   * ```
   */
  async advance(duration: Duration): Promise<void> {
    checkOptions('advance()', duration, durationNames)
    const untilMs = this.clock.now() + milliseconds(duration)
    this.clock.stir()
    do await this.settle()
    while (this.clock.step(untilMs, await this.#due.nextMs()))
  }

  /**
   * Puts the machine to sleep: time passes, and timers that became due meanwhile run late, once.
   *
   * @example
   * ```ts
   * await world.sleep({ days: 2 }) // a laptop over the weekend
   * ```
   */
  async sleep(duration: Duration): Promise<void> {
    checkOptions('sleep()', duration, durationNames)
    this.clock.jump(milliseconds(duration))
    return this.advance({})
  }

  /**
   * Completes everything that needs no time to pass. Your own code may still be waiting for something else.
   *
   * @example
   * ```ts
   * import { createWorld } from 'restante/testing'
   *
   * const world = await createWorld()
   * await world.person('ana@example.com').write({ to: (await world.open()).address, text: 'Hi' })
   * await world.settle()
   * ```
   */
  settle(): Promise<void> {
    return this.#activity.settle(() => this.#preparing())
  }

  /**
   * Breaks every connection to the service: sockets, and requests in progress. Clients may reconnect at once.
   *
   * @example
   * ```ts
   * import { createWorld } from 'restante/testing'
   *
   * const world = await createWorld()
   * world.disconnect()
   * await world.advance({ seconds: 5 }) // mailboxes connect again
   * ```
   */
  disconnect(): void {
    this.#network.cut()
  }

  /**
   * Kills the service, as a power cut does: only committed data remains.
   *
   * @example
   * ```ts
   * import { createWorld } from 'restante/testing'
   *
   * const world = await createWorld()
   * await world.stop()
   * await world.advance({ minutes: 2 })
   * await world.start()
   * ```
   */
  async stop(): Promise<void> {
    const life = this.#life
    if (!life) return
    this.#life = null
    life.killed.abort(new Error('the service was killed'))
    for (const lane of Object.values(this.#lanes)) lane.cut()
    this.#network.cut()
    await life.kept.cut()
    await life.service.close()
  }

  /**
   * Starts the service again on its committed data.
   *
   * @example
   * ```ts
   * import { createWorld } from 'restante/testing'
   *
   * const world = await createWorld()
   * await world.stop()
   * await world.start() // what was committed is there
   * ```
   */
  async start(): Promise<void> {
    if (this.#life) return
    const kept = lendStore(this.#store, () => this.clock.stir())
    const killed = new AbortController()
    const service = await joinService(readSettings(this.#options), kept.store, {
      clock: this.clock,
      resolver: nowhere,
      parser: createParser(this.#activity),
      extractor: createExtractor(this.#activity),
      transport: this.#transport(killed.signal),
      postToEndpoint: (request) => this.#post(request, killed.signal),
    })
    this.#life = { service, kept, killed }
  }

  /**
   * Kills the service and starts it again.
   *
   * @example
   * ```ts
   * import { createWorld } from 'restante/testing'
   *
   * const world = await createWorld()
   * await world.restart()
   * ```
   */
  async restart(): Promise<void> {
    await this.stop()
    await this.start()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const mailbox of this.#mailboxes) await mailbox.close()
    await this.stop()
    await this.#store.close()
  }

  /** Counts the webhooks that are being signed or recorded, which nothing else reports. */
  async #preparing(): Promise<number> {
    if (this.#endpoints.size === 0 || !this.#life) return 0
    const { leased } = await this.#store.db
      .selectFrom('webhook_dispatches')
      .select((row) => row.fn.countAll<number>().as('leased'))
      .where('lease_token', 'is not', null)
      .executeTakeFirstOrThrow()
    return Number(leased) - this.#posts
  }

  async #home(): Promise<Client> {
    const { apiKey } = await this.host.home()
    const fetch = (address: string, init?: RequestInit) => this.host.fetch(new Request(address, init))
    this.#client ??= createClient({ url: 'http://service.internal', apiKey, clock: this.clock, fetch })
    return this.#client
  }

  #transport(killed: AbortSignal): Transport {
    const lost = () => new Error('the connection was lost')
    return {
      siteOf: (domain) => domain,
      send: ({ recipients, raw }) => {
        const sending = recipients.map(async (recipient) => {
          const person = this.person(recipient)
          killed.throwIfAborted()
          const deliver = () => this.#activity.during(() => person.take(raw))
          return this.#lanes.mails
            .call(deliver, lost)
            .then((outcome) => ({ ...outcome, recipient }))
            .catch((error) => ({ recipient, ...defer('4.4.2', String((error as Error).message)) }))
        })
        return Promise.all(sending)
      },
      close: async () => {},
    }
  }

  async #post(request: EndpointRequest, killed: AbortSignal): Promise<EndpointAnswer> {
    killed.throwIfAborted()
    const endpoint = this.#endpoints.get(request.url)
    const deliver = async () => {
      endpoint?.requests.push(request)
      if (!endpoint?.handler) return failed('The connection was refused.')
      return askHandler(endpoint.handler, request, { clock: this.clock, activity: this.#activity })
    }
    this.#posts += 1
    const answer = await abortable(
      this.#lanes.webhooks.call(deliver, () => new Error('lost')),
      killed,
    )
      .catch(() => failed('The connection was closed before an answer came.'))
      .finally(() => {
        this.#posts -= 1
      })
    killed.throwIfAborted()
    return answer
  }
}

/**
 * Creates a world: its service runs, and nothing leaves the process.
 *
 * @throws UsageError `invalid_settings`
 * @example
 * ```ts
 * import { createWorld } from 'restante/testing'
 *
 * await using world = await createWorld({ startAt: new Date('2026-03-01T09:00:00Z') })
 * const mailbox = await world.open()
 * await mailbox.client.messages.send({
 *   inbox_id: mailbox.inboxes[0]!.id,
 *   to: ['ana@example.com'],
 *   subject: 'Later',
 *   text: 'Two hours later, in no time.',
 *   scheduled_at: '2026-03-01T11:00:00Z',
 * })
 * await world.advance({ hours: 2 })
 * console.log((await world.person('ana@example.com').received()).text)
 * ```
 */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  checkOptions('createWorld()', options, worldNames)
  const world = new World(await openStore({}), options)
  await world.start()
  return world
}
