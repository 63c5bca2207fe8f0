import { setMaxListeners } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { checkOptions, type OptionNames } from '../protocol/options'
import type { ApiKey, NewApiKey } from '../protocol/records'
import { monotonicNow } from '../protocol/time'
import {
  authenticate,
  createInboxLists,
  createKey,
  createSignupLimits,
  createTotalStorage,
  findHome,
  type Home,
  type KeyRequest,
  KeyUses,
  KnownRecipients,
  listKeys,
  openHome,
  Revocations,
  revokeKey,
} from './accounts'
import { createSecrets, dayMs, loadLater, outageOf, systemClock } from './base'
import { closeInStages } from './close-in-stages'
import { createTrialLimits } from './connections'
import { createConsolePages, createSignIn, type TellLink } from './console'
import { type DomainPorts, hostDkimRecord } from './domains'
import {
  type Admin,
  type Approvals,
  accountCommands,
  approvalCommands,
  backupCommands,
  createAdmin,
  createApprovals,
  createMetricsServer,
  createReadiness,
  findSecret,
  type HostPorts,
  inboundKeyCommands,
  joinRooms,
  keyCommands,
  moveCommands,
  openAdminChannel,
  operatorCommands,
  reindexCommands,
  reparseCommands,
  waitingCommands,
  watchStorage,
} from './host'
import {
  admitSocket,
  closeServer,
  createApp,
  healthOf,
  listenHttp,
  portError,
  RequestLimiter,
  shownHost,
} from './http'
import { checkRecipient, createIngest, createMailParser, type MailEnvelope, SpamCheck } from './inbound'
import { createInboundDoor, type FetchBytes } from './inbound/doors'
import { createThreadedReceiver, readCertificate, type SmtpDoor, type ThreadedReceiver } from './inbound/smtp'
import { createTalk } from './inbound/talk'
import { releaseAllLeases } from './jobs'
import { createLocalSignals, createNatsSignals, createPostgresSignals, type NodeSignals } from './log'
import { createClientAddress, createResolver, type MakeLimiter, RateLimiter, SharedRateLimiter } from './net'
import {
  createCaptureTransport,
  createDirectTransport,
  createPolicies,
  createPolicyFetcher,
  createRelayTransport,
  type Transport,
} from './outbound/delivery'
import type { Clock, Logger, MailParser, PostToEndpoint, Resolver, Signals, SpamFilter } from './ports'
import { createGateway, InProcessSocket, type ServiceSocket, type SocketClaim } from './realtime'
import {
  createSemantics,
  createThreads,
  openEndpoint,
  openPgvector,
  requestOutdated,
  wantedModel,
} from './search/semantic'
import { readSettings, type ServiceOptions, type Settings, smtpLimitsOf, verifiesOperators } from './settings'
import { createRateSlices, databaseId, openBlobs, openNodeStore, type Store, tryBucket } from './store'
import { releaseDispatches } from './webhooks'
import { startWorkers } from './workers'

/** The addresses at which a listening service is reached. */
export interface Listening {
  /** Base address of the interface, ending in `/v1`. */
  url: string
  consoleUrl: string
  /** `host:port` that takes mail, or `off`. */
  smtp: string
  /** `host:port` that answers `GET /metrics`, where the setting opens one. */
  metrics?: string | undefined
}

/** Parts of the outside that a test may own. */
export interface ServicePorts {
  clock?: Clock | undefined
  signals?: Signals | undefined
  resolver?: Resolver | undefined
  logger?: Logger | undefined
  /** Judges incoming mail, in place of the one that the settings name. */
  spamFilter?: SpamFilter | undefined
  /** The way out for mail to other domains, in place of what the setting `delivery` names. */
  transport?: Transport | undefined
  /** Posts to the endpoints of webhooks, in place of HTTP with the address guard. */
  postToEndpoint?: PostToEndpoint | undefined
  /** Hears of sign-in links whose mail is captured, so that the person at the machine can use them. */
  signInLink?: TellLink | undefined
}

const portNames: OptionNames<ServicePorts> = {
  ...{ clock: true, signals: true, resolver: true, logger: true, spamFilter: true, transport: true },
  ...{ postToEndpoint: true, signInLink: 'function' },
}

/** Parts that only the package's own tests own. */
export interface TestedPorts extends ServicePorts {
  /** Reads mail, in place of worker threads. */
  parser?: MailParser
  makeKeyPair?: DomainPorts['makeKeyPair']
  /** Fetches what providers name, in place of HTTP with the address guard. */
  fetchBytes?: FetchBytes
}

/** The API keys of an account, for the host itself: at the console, operators do this for the accounts they claimed. */
export interface Keys {
  /** Makes a key; its answer is the only place where the key shows. @throws ServiceError `not_found`, `key_limit_reached` */
  create(key: KeyRequest): Promise<NewApiKey>
  /** Oldest first; `cursor` is the `next_cursor` of the page before. */
  list(page: {
    account_id: string
    limit?: number | undefined
    cursor?: string | undefined
  }): Promise<{ keys: ApiKey[]; next_cursor: string | null }>
  /** Takes a key back at once, and closes what it holds open. @throws ServiceError `not_found` */
  revoke(key: { account_id: string; key_id: string }): Promise<void>
}

const keyNames: OptionNames<KeyRequest> = {
  ...{ account_id: true, name: true, scopes: true, inbox_id: true, trusted: 'boolean' },
  ...{ everywhere: 'boolean', provider: true, expires_at: true },
}
const keyPageNames = { account_id: true, limit: true, cursor: true }

/** A misspelt `inbox_id` or `expires_at` would be a key that may do more. */
const createKeys = (ports: HostPorts): Keys => ({
  create: async (key) => {
    checkOptions('keys.create()', key, keyNames)
    return createKey(ports, key)
  },
  list: async (page) => {
    checkOptions('keys.list()', page, keyPageNames)
    const { limit = 25, ...others } = page
    return listKeys(ports, { limit, ...others })
  },
  revoke: async (key) => {
    checkOptions('keys.revoke()', key, { account_id: true, key_id: true })
    return revokeKey(ports, key)
  },
})

/** An e-mail service for agents, in this process. */
export interface Service {
  /** Answers a request of the interface; no port needs to be open. */
  fetch(request: Request): Promise<Response>
  /** Opens a realtime socket within the process. */
  socket(options: { apiKey: string }): ServiceSocket
  /** The account that the service has from the start, with its address and key: the same after every restart. */
  home(): Promise<Home>
  /** The decisions of an operator on drafts that wait for approval; no key of an agent reaches them. */
  readonly approvals: Approvals
  /**
   * The TXT record to publish so that mail of the service's own domain can be checked (DKIM); the key is made when
   * it is first asked for. Null below `.localhost`, which is never in the DNS.
   */
  dkimRecord(): Promise<{ name: string; value: string } | null>
  /** The changes of the host to accounts: their plan, and whether they may send, or do anything at all. */
  readonly admin: Admin
  readonly keys: Keys
  /**
   * The address that signs whoever opens it in at the console, as the owner of the account that the service has from the
   * start. It works as long as this process runs: it is for the person at the machine, and for nobody else.
   */
  ownerLink(): string
  /**
   * Takes a mail in as the SMTP port does, for hosts that get theirs another way. Resolves once it is on disk.
   *
   * @throws ServiceError `mailbox_unavailable`, `address_retired`, `account_expired`, `account_suspended`, `quota_exceeded`, `storage_limit_reached`, `sender_blocked`, `unavailable`, `storage_unavailable`
   */
  receive(envelope: MailEnvelope, raw: Uint8Array<ArrayBuffer>): Promise<{ queueId: string }>
  /** Opens the HTTP and SMTP ports. @throws UsageError `port_unavailable` */
  listen(): Promise<Listening>
  /**
   * Reads the files of `smtpCertificate` and `smtpKey` again, for the SMTP connections to come. Call it after a renewal;
   * `restante serve` does so on SIGHUP.
   *
   * @throws UsageError `invalid_settings` if they cannot be used; the certificate before stays
   */
  reloadCertificate(): Promise<void>
  /**
   * Takes nothing new, lets what runs come to its end, and closes everything. Safe to call twice. With `drainSeconds` it
   * is not ready for so long before, and takes what still comes.
   */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const loadPino = loadLater(() => import('pino'))

async function createLogger(level: Settings['log']): Promise<Logger> {
  const { pino } = await loadPino()
  const logger: Logger = pino(
    {
      level,
      base: null,
      redact: ['*.authorization', '*.apiKey', '*.api_key'],
      serializers: { error: pino.stdSerializers.err },
    },
    pino.destination({ dest: 2, sync: true }),
  )
  return logger
}

/** The way by which the nodes on one database wake each other; none where there is one node. */
function nodeSignalsOf(
  { natsUrl, databaseUrl, databaseDirectUrl }: Settings,
  store: Store,
  ports: { clock: Clock; logger: Logger },
): NodeSignals | undefined {
  if (databaseUrl === undefined) return undefined
  ports.logger.info({}, `nodes wake each other by ${natsUrl === undefined ? 'LISTEN and NOTIFY' : 'NATS'}`)
  return natsUrl === undefined
    ? createPostgresSignals({ url: databaseDirectUrl ?? databaseUrl, ...ports })
    : createNatsSignals({ url: natsUrl, database: () => databaseId(store), ...ports })
}

async function spamFilterOf({ spamFilter }: Settings): Promise<SpamFilter | undefined> {
  if (spamFilter === undefined) return undefined
  const { createRspamd } = await import('./inbound/spam-filter-rspamd')
  return createRspamd(spamFilter)
}

function transportOf({ delivery, domain: hostname }: Settings, ports: HostPorts): Transport {
  const { resolver, clock } = ports
  if (delivery === 'capture') return createCaptureTransport()
  if (delivery !== 'direct') return createRelayTransport({ url: delivery, hostname, clock })
  const policyOf = createPolicies(ports, createPolicyFetcher(ports))
  return createDirectTransport({ resolver, hostname, clock, policyOf })
}

/** The doors that take connections, of which a service within a process has none. */
const loadFetcher = loadLater(() => import('./inbound/doors/fetch-bytes'))
const loadDoors = loadLater(() => Promise.all([import('./http/node/server'), import('./realtime/upgrade')]))

/**
 * Makes a service: embedded (SQLite in a folder, or in memory) or on PostgreSQL. It works at once through
 * {@link Service.fetch}; {@link Service.listen} opens its ports.
 *
 * @example
 * ```ts
 * import { createService } from 'restante/service'
 *
 * const service = await createService({ data: './mail' })
 * const { url, smtp } = await service.listen()
 * console.log(url, smtp, (await service.home()).address)
 * ```
 *
 * @throws UsageError `invalid_settings`, `data_folder_in_use`, `data_folder_unusable`, `database_unreachable`, `secret_required`
 */
export async function createService(
  options: ServiceOptions = {},
  ports: ServicePorts = {},
): Promise<Service> {
  const { parser: _parser, makeKeyPair: _make, fetchBytes: _fetch, ...own }: TestedPorts = ports
  checkOptions('ports of createService()', own, portNames)
  const settings = readSettings(options)
  const logger = ports.logger ?? (await createLogger(settings.log))
  const store = await openNodeStore(settings, (message) => logger.warn({}, message))
  return joinService(settings, store, { ...ports, logger })
}

/** Joins the parts of a service on a store, which is closed with it. */
export async function joinService(settings: Settings, store: Store, given: TestedPorts): Promise<Service> {
  const fail = (error: unknown) => store.close().then(() => Promise.reject(error))
  const logger = given.logger ?? (await createLogger(settings.log).catch(fail))
  const clock = given.clock ?? store.clock ?? systemClock
  const blobs = await tryBucket(settings, logger).then(() => openBlobs(store, settings), fail)
  for (const warning of store.warnings ?? []) logger.warn({}, warning)
  const nodes = given.signals ? undefined : nodeSignalsOf(settings, store, { clock, logger })
  const signals = given.signals ?? nodes ?? createLocalSignals()
  const smtpAt = settings.roles.has('smtp') ? settings.smtp : 'off'
  let listening: Listening | undefined
  const here = `http://${shownHost(settings.http.host)}:${settings.http.port}`
  const publicUrl = () => listening?.url ?? `${settings.publicUrl ?? here}/v1`

  // A resolver of the host's own is one to ask, wherever the service runs.
  const checksSenders =
    settings.checkSenders ?? (given.resolver !== undefined || !/(^|\.)localhost$/.test(settings.domain))

  const metrics = settings.metrics && (await (await import('./host/metrics')).createMetrics())
  const filter = given.spamFilter ?? (await spamFilterOf(settings))
  const resolver = given.resolver ?? createResolver()
  const { pgvector, said } = await openPgvector(store)
  if (said) logger.info({}, said)
  const meaning = {
    store,
    pgvector,
    clock,
    logger,
    threads: createThreads(),
    endpoint: await openEndpoint(settings, resolver),
  }
  const counted = metrics?.signals(signals) ?? signals
  const ending = new AbortController()
  // Every request that waits listens to it.
  setMaxListeners(0, ending.signal)
  const looks = { look: async (_connectionId: string) => {} }
  // The clock of a test, or that of the database: one for all nodes.
  const slices =
    store.dialect === 'postgres' ? createRateSlices(store, given.clock && (() => clock.now())) : undefined
  const limiterOf: MakeLimiter = (kind, rate) =>
    slices
      ? new SharedRateLimiter(
          rate,
          (...asked) => slices(kind, ...asked),
          () => clock.now(),
        )
      : new RateLimiter(rate, () => monotonicNow(clock))
  const ports: HostPorts = {
    store,
    sentElsewhere: looks,
    logger,
    registry: joinRooms(),
    knownRecipients: new KnownRecipients(),
    inboxLists: createInboxLists(),
    signupLimits: createSignupLimits(settings, limiterOf),
    trialLimits: createTrialLimits(limiterOf),
    totalStorage: createTotalStorage(settings.maxStorageBytes, clock),
    blobs,
    resolver,
    clock,
    signals: counted,
    keyUses: new KeyUses({ store, clock, logger }),
    revocations: new Revocations({ store, clock, signals, logger }),
    parser: given.parser ?? createMailParser(),
    makeKeyPair: given.makeKeyPair,
    semantics: createSemantics({ ...meaning, signals: counted }),
    spamCheck: filter && new SpamCheck({ clock, logger }, filter),
    secrets: createSecrets(findSecret(settings)),
    get inboundDoor() {
      return inboundDoor
    },
    get talk() {
      return talk
    },
    ending: ending.signal,
    settings: {
      domain: settings.domain,
      get consoleUrl() {
        return listening?.consoleUrl ?? settings.consoleUrl ?? `${settings.publicUrl ?? here}/console`
      },
      signup: settings.signup,
      verifyOperators: verifiesOperators(settings),
      checksSenders,
      reportDomains: settings.reportDomains ?? [],
      webhooksAllowPrivate: settings.webhooksAllowPrivate,
      connectionsAllowPrivate: settings.connectionsAllowPrivate,
      keepEventsMs: settings.keepEventsDays * dayMs,
      keepExpiredMs: settings.keepExpiredDays * dayMs,
      keepTrashMs: settings.keepTrashDays === 0 ? null : settings.keepTrashDays * dayMs,
      plans: settings.plans,
    },
  }
  if (store.dialect === 'sqlite') await Promise.all([releaseAllLeases(ports), releaseDispatches(ports)])
  // Mail to postmaster@ and abuse@ comes to it (RFC 5321 section 4.5.1), from the first mail on.
  await openHome(ports)
  const ingest = createIngest(ports)
  const isCaptured = settings.delivery === 'capture' && given.transport === undefined
  const talk = isCaptured ? createTalk({ ports, smtp: () => listening?.smtp ?? 'off' }) : null
  let fetcher: ReturnType<Awaited<ReturnType<typeof loadFetcher>>['createFetchBytes']> | undefined
  const inboundDoor = createInboundDoor(
    ports,
    ingest,
    given.fetchBytes ??
      (async (...asked) => {
        const { createFetchBytes } = await loadFetcher()
        fetcher ??= createFetchBytes(resolver)
        return fetcher.fetchBytes(...asked)
      }),
  )
  const gateway = createGateway(ports, settings, (reason) => metrics?.limited(`socket_${reason}`))
  const plainTransport = given.transport ?? transportOf(settings, ports)
  const transport = metrics?.transport(plainTransport) ?? plainTransport
  const workers = settings.roles.has('work')
    ? startWorkers({
        ports,
        ingest,
        transport,
        embedding: { ...ports, ...meaning },
        post: given.postToEndpoint,
        onAttempt: metrics?.webhookTried,
      })
    : undefined
  if (workers) looks.look = workers.look
  await requestOutdated(ports, wantedModel(meaning))
  const storage = watchStorage(ports, settings.data)
  const clientAddress = createClientAddress(settings.trustProxy, () =>
    logger.warn(
      {},
      'requests come through a proxy on this machine, and all count as its own, which no limit holds for: set RESTANTE_TRUST_PROXY=1',
    ),
  )
  const signUpByLink = ports.settings.verifyOperators && settings.delivery !== 'capture'
  const tellLink = settings.delivery === 'capture' ? given.signInLink : undefined
  const signIn = createSignIn(ports, { tellLink, signUpByLink })
  const pages = createConsolePages(ports, signUpByLink)
  const limiter = new RequestLimiter({
    ports,
    ...settings,
    limiterOf,
    onLimited: (limit) => metrics?.limited(`http_${limit}`),
  })
  const app = createApp({
    ports,
    limiter,
    clientAddress,
    alive: () => closing === undefined,
    readiness: createReadiness(ports, storage, () =>
      smtpAt === 'off' ? 'off' : (receiver?.isOpen() ?? false),
    ),
    onAnswer: metrics?.answered,
    publicUrl,
    cors: settings.cors,
    signIn,
    pages,
  })
  const admin = createAdmin(ports)
  const commands = {
    ...(workers && backupCommands(workers.eraser)),
    ...waitingCommands(ports),
    ...accountCommands(ports, admin),
    ...operatorCommands(ports),
    'console-link': async () => ({ url: await signIn.consoleLink() }),
    ...approvalCommands(ports),
    ...reparseCommands(ports),
    ...inboundKeyCommands(ports),
    ...keyCommands(ports),
    ...moveCommands(ports, settings, () => closing !== undefined),
    ...reindexCommands(ports, () => closing !== undefined),
    home: async () => {
      const { address, apiKey } = await findHome(ports)
      return { url: listening?.url ?? null, smtp: listening?.smtp ?? 'off', address, api_key: apiKey }
    },
  }
  const channel =
    store.dialect === 'sqlite' && settings.data !== undefined
      ? await openAdminChannel(settings.data, commands, logger)
      : undefined
  let receiver: ThreadedReceiver | undefined
  let server: Server | undefined
  let metricsServer: Server | undefined
  let closing: Promise<void> | undefined

  async function identifySocket({ key, account }: SocketClaim, { socket, headers, url }: IncomingMessage) {
    const header = (name: string) => headers[name]?.toString()
    const address = clientAddress({ socket: socket.remoteAddress, header })
    if (account === undefined) return limiter.admit(key, address)
    const { cookie = '', origin = '', host = 'localhost' } = headers
    const request = { url: `http://${host}${url}`, headers: new Headers({ cookie, origin }) }
    const { scope, operator } = await admitSocket(ports, signIn, account, request)
    return limiter.letIn(scope, operator.id, address)
  }

  async function readOwnCertificate() {
    const { smtpCertificate, smtpKey } = settings
    if (smtpCertificate !== undefined && smtpKey !== undefined)
      return readCertificate(smtpCertificate, smtpKey)
  }

  async function reloadCertificate(): Promise<void> {
    const tls = await readOwnCertificate()
    if (tls) receiver?.useCertificate(tls)
  }

  async function listenSmtp(at: { host: string; port: number }): Promise<string> {
    const door: SmtpDoor = {
      admit: (recipient, { mailFrom, declaredBytes }) =>
        checkRecipient(ports, recipient, mailFrom, declaredBytes),
      accept: ingest,
    }
    const watched = metrics?.door(door) ?? door
    receiver = createThreadedReceiver({
      ...at,
      tls: await readOwnCertificate(),
      ...smtpLimitsOf(settings),
      hostname: settings.domain,
      logger,
      door: talk?.before(watched) ?? watched,
      onLimited: (limit) => metrics?.limited(`smtp_${limit}`),
      senders: checksSenders ? { resolver, verifier: ports.parser } : undefined,
      takeSlice: slices,
    })
    ports.knownRecipients.onForget = receiver.forget
    const { host, port } = await receiver.listen().catch((error) => {
      throw portError('smtp', at.host, at.port, error)
    })
    return `${shownHost(host)}:${port}`
  }

  async function listen(): Promise<Listening> {
    const [{ createHttpServer }, { attachRealtime }] = await loadDoors()
    const isInterface = settings.roles.has('http')
    server = createHttpServer((isInterface ? app : healthOf(app)).fetch, clock)
    if (isInterface) attachRealtime(server, identifySocket, gateway, clock)
    const smtp = smtpAt === 'off' ? 'off' : await listenSmtp(smtpAt)
    const httpPort = await listenHttp(server, settings.http)
    const base = settings.publicUrl ?? `http://${shownHost(settings.http.host)}:${httpPort}`
    listening = { url: `${base}/v1`, consoleUrl: settings.consoleUrl ?? `${base}/console`, smtp }
    if (metrics && settings.metrics) {
      metricsServer = createMetricsServer(() => metrics.read(ports, gateway, storage), logger)
      const metricsPort = await listenHttp(metricsServer, settings.metrics, 'metrics')
      listening.metrics = `${shownHost(settings.metrics.host)}:${metricsPort}`
    }
    return listening
  }

  async function close(): Promise<void> {
    if (listening && settings.drainSeconds > 0)
      await new Promise<void>((resolve) => clock.after(settings.drainSeconds * 1_000, resolve))
    ending.abort()
    // 23 s in all, as docs/operating.md says.
    await closeInStages({ clock, logger }, [
      ['SMTP or a socket', 6_000, () => [receiver?.close(), channel?.close(), gateway.close()]],
      ['HTTP', 6_000, () => [closeServer(server), closeServer(metricsServer)]],
      ['a queue', 7_000, () => [ports.revocations.close().then(() => workers?.close())]],
      ['a thread', 2_000, () => [fetcher?.close(), ports.parser.close(), meaning.threads.close()]],
      ['the way to other nodes', 1_000, () => [ports.keyUses.flush().finally(() => nodes?.close())]],
      ['the database', 1_000, () => [store.close()]],
    ])
  }

  const closeOnce = () => (closing ??= close())
  return {
    fetch: async (request) => app.fetch(request),
    socket: ({ apiKey }) => new InProcessSocket(gateway, authenticate(ports, apiKey)),
    home: () => findHome(ports),
    dkimRecord: () => hostDkimRecord(ports),
    approvals: createApprovals(ports),
    admin,
    keys: createKeys(ports),
    ownerLink: signIn.ownerLink,
    async receive(envelope, raw) {
      try {
        for (const recipient of envelope.recipients) await checkRecipient(ports, recipient, envelope.mailFrom)
        return await ingest(envelope, raw)
      } catch (error) {
        throw outageOf(error) ?? error
      }
    },
    listen,
    reloadCertificate,
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  }
}
