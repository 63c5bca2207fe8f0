import { setMaxListeners } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { pino } from 'pino'
import { isServiceError } from '../protocol/errors/error'
import { checkOptions, type OptionNames } from '../protocol/options'
import type { ApiKey, NewApiKey } from '../protocol/records/console'
import { monotonicNow } from '../protocol/time/clock'
import { createInboxLists } from './accounts/account-inboxes'
import { createKey, type KeyRequest, listKeys, revokeKey } from './accounts/api-keys'
import { findHome, type Home, openHome } from './accounts/host-account'
import { KeyUses } from './accounts/key-uses'
import { authenticate } from './accounts/keys'
import { KnownRecipients } from './accounts/known-recipients'
import { Revocations } from './accounts/revocations'
import { createSignupLimits } from './accounts/signup-limits'
import { createTotalStorage } from './accounts/storage'
import { type Admin, createAdmin } from './admin/admin'
import { openAdminChannel } from './admin/admin-channel'
import { createRegistry, socketCommands } from './admin/administer'
import { type Approvals, createApprovals } from './admin/approvals'
import { loadLater } from './base/load-later'
import { outageOf } from './base/outage'
import { findSecret } from './base/secret-file'
import { createSecrets } from './base/secrets'
import { dayMs, systemClock } from './base/time'
import { closeInStages } from './close-in-stages'
import { createTrialLimits } from './connections/trial-limits'
import { createTalk } from './dev/talk'
import { hostDkimRecord } from './domains/dkim-keys'
import type { DomainPorts } from './domains/ports'
import { createExtractor } from './extraction/extractor'
import type { HousekeepingPorts } from './housekeeping/housekeeping'
import { createApp, healthOf } from './http/app'
import { closeServer, listenHttp, portError, shownHost } from './http/listen'
import { admitSocket } from './http/operator'
import { RequestLimiter } from './http/request-limiter'
import { createInboundEndpoint } from './inbound/http/deliver'
import { createFetchBytes } from './inbound/http/fetch-bytes'
import type { FetchBytes } from './inbound/http/providers/provider'
import { createIngest, type MailEnvelope } from './inbound/ingest'
import { createMailParser } from './inbound/mail-parser'
import { checkRecipient } from './inbound/recipient-check'
import { readCertificate } from './inbound/smtp/certificate'
import type { SmtpHandler } from './inbound/smtp/receiver'
import { createThreadedReceiver, type ThreadedReceiver } from './inbound/smtp/threaded-receiver'
import { SpamCheck } from './inbound/spam-check'
import { moveHome } from './inboxes/move-home'
import { releaseAllLeases } from './jobs/jobs'
import { createLocalSignals } from './log/local-signals'
import { createNatsSignals } from './log/nats-signals'
import type { NodeSignals } from './log/ports'
import { createPostgresSignals } from './log/postgres-signals'
import { createMetricsServer } from './metrics/metrics-server'
import { createReadiness } from './metrics/readiness'
import { watchStorage } from './metrics/storage'
import { createClientAddress } from './net/client-address'
import { type MakeLimiter, RateLimiter } from './net/rate-limiter'
import { createResolver } from './net/resolver'
import { SharedRateLimiter } from './net/shared-rate-limiter'
import { createConsolePages } from './operators/pages'
import { createSignIn, type TellLink } from './operators/sign-in'
import { createPolicyFetcher } from './outbound/delivery/mta-sts-fetch'
import { createPolicies } from './outbound/delivery/mta-sts-policies'
import { createCaptureTransport, type Transport } from './outbound/delivery/transport'
import { createDirectTransport } from './outbound/delivery/transport-direct'
import { createRelayTransport } from './outbound/delivery/transport-relay'
import type {
  Clock,
  Embedder,
  Extractor,
  Logger,
  MailParser,
  Ocr,
  PostToEndpoint,
  Resolver,
  Signals,
  SpamFilter,
} from './ports'
import { createGateway } from './realtime/gateway'
import { InProcessSocket, type ServiceSocket } from './realtime/in-process'
import type { SocketClaim } from './realtime/upgrade'
import { openEmbedders } from './search/semantic/open-embedders'
import { requestOutdated } from './search/semantic/request-embedding'
import { createSemantics } from './search/semantic/semantics'
import { createSearchThreads } from './search/semantic/threads'
import { readSettings, type ServiceOptions, type Settings, smtpLimitsOf, verifiesOperators } from './settings'
import { openBlobs, tryBucket } from './store/blobs/open-blobs'
import { databaseId, openNodeStore } from './store/open-store'
import { createRateSlices } from './store/rate-slices'
import type { Store } from './store/store'
import { releaseDispatches } from './webhooks/attempts'
import { startWorkers } from './workers'

/** Addresses of a listening service. */
export interface Listening {
  /** Base URL of the API, ending in `/v1`. */
  url: string
  consoleUrl: string
  /** `host:port` of the SMTP receiver, or `off`. */
  smtp: string
  /** `host:port` of `GET /metrics`, if the setting enables it. */
  metrics?: string | undefined
}

/** External dependencies that a test can replace. */
export interface ServicePorts {
  clock?: Clock | undefined
  signals?: Signals | undefined
  resolver?: Resolver | undefined
  logger?: Logger | undefined
  /** Embeds messages and queries for semantic search, instead of the one in the settings. */
  embedder?: Embedder | undefined
  /** Reads the text in pictures and scans that are attached. Default: none. */
  ocr?: Ocr | undefined
  /** Spam filter, instead of the one in the settings. */
  spamFilter?: SpamFilter | undefined
  /** Transport for messages to other domains, instead of the one of the setting `delivery`. */
  transport?: Transport | undefined
  /** Posts to the endpoints of webhooks, instead of HTTP with the address guard. */
  postToEndpoint?: PostToEndpoint | undefined
  /** Called with sign-in links whose emails are captured, so that they can be used on this machine. */
  signInLink?: TellLink | undefined
}

const portNames: OptionNames<ServicePorts> = {
  ...{ clock: true, signals: true, resolver: true, logger: true, spamFilter: true, transport: true },
  ...{ postToEndpoint: true, signInLink: 'function', embedder: true, ocr: 'function' },
}

/** Dependencies that only the package's own tests replace. */
export interface TestedPorts extends ServicePorts {
  /** Parser, instead of worker threads. */
  parser?: MailParser
  /** Reader of attachments, instead of processes. */
  extractor?: Extractor
  makeKeyPair?: DomainPorts['makeKeyPair']
  /** Fetches URLs that providers name, instead of HTTP with the address guard. */
  fetchBytes?: FetchBytes
}

/**
 * API keys of an account, for the administrator. Operators manage those of claimed accounts at the console.
 */
export interface Keys {
  /**
   * Makes a key, which appears in this answer alone. @throws ServiceError `not_found`, `invalid_request`,
   * `key_limit_reached`, `account_suspended`
   */
  create(key: KeyRequest): Promise<NewApiKey>
  /** Lists keys, oldest first; `cursor` is the `next_cursor` of the previous page. */
  list(page: {
    account_id: string
    limit?: number | undefined
    cursor?: string | undefined
  }): Promise<{ keys: ApiKey[]; next_cursor: string | null }>
  /** Revokes a key at once, and closes its connections. @throws ServiceError `not_found` */
  revoke(key: { account_id: string; key_id: string }): Promise<void>
}

const keyNames: OptionNames<KeyRequest> = {
  ...{ account_id: true, name: true, scopes: true, inbox_id: true, trusted: 'boolean' },
  ...{ everywhere: 'boolean', provider: true, expires_at: true },
}
const keyPageNames = { account_id: true, limit: true, cursor: true }

/** Creates the keys API. It refuses unknown options: a misspelt `inbox_id` or `expires_at` would widen the key. */
const createKeys = (ports: HousekeepingPorts): Keys => ({
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

/** Email service for agents, in this process. */
export interface Service {
  /** Answers a request to the API; no port needs to be open. */
  fetch(request: Request): Promise<Response>
  /** Opens a realtime socket within the process. */
  socket(options: { apiKey: string }): ServiceSocket
  /** Returns the home account, which exists from the first start, with its address and key. */
  home(): Promise<Home>
  /** Decisions of an operator on drafts that wait for approval; no key of an agent allows them. */
  readonly approvals: Approvals
  /**
   * Returns the TXT record to publish for DKIM of the service's own domain. The key is made on first use.
   * Null for `.localhost` domains, which are never in the DNS.
   */
  dkimRecord(): Promise<{ name: string; value: string } | null>
  /** Changes of the administrator to accounts: plan, pause, suspension, erasure. */
  readonly admin: Admin
  readonly keys: Keys
  /**
   * Returns a link that signs in at the console as the owner of the home account. It works once, and only
   * while this process runs; after its use there is a new one. Only the person at the machine may have it.
   */
  ownerLink(): string
  /**
   * Accepts a message like the SMTP port, for applications with another source. Resolves once it is on disk.
   *
   * @throws ServiceError `mailbox_unavailable`, `address_retired`, `account_expired`, `account_suspended`,
   *   `quota_exceeded`, `storage_limit_reached`, `sender_blocked`, `unavailable`, `storage_unavailable`
   */
  receive(envelope: MailEnvelope, raw: Uint8Array<ArrayBuffer>): Promise<{ queueId: string }>
  /** Opens the HTTP and SMTP ports. @throws UsageError `port_unavailable` */
  listen(): Promise<Listening>
  /**
   * Reads the files of `smtpCertificate` and `smtpKey` again, for new SMTP connections. Call it after a
   * renewal; `restante serve` does so on SIGHUP.
   *
   * @throws UsageError `invalid_settings` if they cannot be used; the previous certificate stays
   */
  reloadCertificate(): Promise<void>
  /**
   * Accepts nothing new, finishes running work, and closes everything. Safe to call twice. With
   * `drainSeconds` it first reports not ready for that time, while it still accepts work.
   */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

async function createLogger(level: Settings['log']): Promise<Logger> {
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

/** Returns the signals between nodes on one database; undefined if there is only one node. */
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

function transportOf(
  { delivery, deliveryCa, domain: hostname }: Settings,
  ports: HousekeepingPorts,
): Transport {
  const { resolver, clock } = ports
  if (delivery === 'capture') return createCaptureTransport()
  if (delivery !== 'direct')
    return createRelayTransport({ url: delivery, hostname, clock, caFile: deliveryCa })
  const policyOf = createPolicies(ports, createPolicyFetcher(ports))
  return createDirectTransport({ resolver, hostname, clock, policyOf })
}

/** Loaded on use: a service within a process has no listeners. */
const loadListeners = loadLater(() =>
  Promise.all([import('./http/node/server'), import('./realtime/upgrade')]),
)

/**
 * Creates a service: embedded (SQLite in a folder, or in memory) or on PostgreSQL. It works at once through
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
 * @throws UsageError `invalid_settings`, `data_folder_in_use`, `data_folder_unusable`,
 *   `database_unreachable`, `secret_required`
 */
export async function createService(
  options: ServiceOptions = {},
  ports: ServicePorts = {},
): Promise<Service> {
  const {
    parser: _parser,
    extractor: _extractor,
    makeKeyPair: _make,
    fetchBytes: _fetch,
    ...own
  }: TestedPorts = ports
  checkOptions('ports of createService()', own, portNames)
  const settings = readSettings(options)
  const logger = ports.logger ?? (await createLogger(settings.log))
  const store = await openNodeStore(settings, (message) => logger.warn({}, message))
  return joinService(settings, store, { ...ports, logger })
}

/** Assembles a service on a store, which is closed with it. */
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

  // A custom resolver is meant to be used, whatever the domain.
  const checksSenders =
    settings.checkSenders ?? (given.resolver !== undefined || !/(^|\.)localhost$/.test(settings.domain))

  const metrics = settings.metrics && (await (await import('./metrics/metrics')).createMetrics())
  const filter = given.spamFilter ?? (await spamFilterOf(settings))
  const resolver = given.resolver ?? createResolver()
  const threads = createSearchThreads()
  const embedders = await openEmbedders(settings, threads, resolver, given.embedder)
  const embedding = { store, clock, logger, threads, embedders }
  const counted = metrics?.signals(signals) ?? signals
  const ending = new AbortController()
  // Every waiting request listens to it.
  setMaxListeners(0, ending.signal)
  const looks = { look: async (_connectionId: string) => {} }
  // Clock of a test, or else of the database, which all nodes share.
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
  const ports: HousekeepingPorts = {
    store,
    sentElsewhere: looks,
    logger,
    registry: createRegistry(),
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
    extractor: given.extractor ?? createExtractor(),
    ocr: given.ocr,
    makeKeyPair: given.makeKeyPair,
    semantics: createSemantics(embedding),
    spamCheck: filter && new SpamCheck({ clock, logger }, filter),
    secrets: createSecrets(findSecret(settings)),
    get inboundEndpoint() {
      return inboundEndpoint
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
      keepAuditMs: settings.keepAuditDays === 0 ? null : settings.keepAuditDays * dayMs,
      plans: settings.plans,
    },
  }
  if (store.dialect === 'sqlite') await Promise.all([releaseAllLeases(ports), releaseDispatches(ports)])
  // Receives messages to postmaster@ and abuse@ (RFC 5321 section 4.5.1), from the first message on.
  await openHome(ports)
  await moveHome(ports).catch((error: unknown) => {
    if (!isServiceError(error, 'inbox_unavailable')) throw error
    logger.warn({}, `the home inbox keeps its address at the old domain: ${error.message}`)
  })
  const ingest = createIngest(ports)
  const isCaptured = settings.delivery === 'capture' && given.transport === undefined
  const talk = isCaptured ? createTalk({ ports, smtp: () => listening?.smtp ?? 'off' }) : null
  const fetcher = createFetchBytes(resolver)
  const inboundEndpoint = createInboundEndpoint(ports, ingest, given.fetchBytes ?? fetcher.fetchBytes)
  const gateway = createGateway(ports, settings, (reason) => metrics?.limited(`socket_${reason}`))
  const plainTransport = given.transport ?? transportOf(settings, ports)
  const transport = metrics?.transport(plainTransport) ?? plainTransport
  const workers = settings.roles.has('work')
    ? startWorkers({
        ports,
        ingest,
        transport,
        embedding: { ...ports, ...embedding },
        post: given.postToEndpoint,
        onAttempt: metrics?.webhookTried,
      })
    : undefined
  if (workers) looks.look = workers.look
  if (embedders) await requestOutdated(ports, embedders)
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
  const commands = socketCommands(
    {
      ports,
      eraser: workers?.eraser,
      isClosing: () => closing !== undefined,
      async home() {
        const { address, apiKey } = await findHome(ports)
        return { url: listening?.url ?? null, smtp: listening?.smtp ?? 'off', address, api_key: apiKey }
      },
    },
    settings,
  )
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
    const handler: SmtpHandler = {
      admit: (recipient, { mailFrom, declaredBytes }) =>
        checkRecipient(ports, recipient, mailFrom, declaredBytes),
      accept: ingest,
    }
    const watched = metrics?.smtpHandler(handler) ?? handler
    receiver = createThreadedReceiver({
      ...at,
      tls: await readOwnCertificate(),
      ...smtpLimitsOf(settings),
      hostname: settings.domain,
      logger,
      handler: talk?.before(watched) ?? watched,
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
    const isInterface = settings.roles.has('http')
    const [{ createHttpServer }, { attachRealtime }] = await loadListeners()
    server = createHttpServer((isInterface ? app : healthOf(app)).fetch, clock)
    if (isInterface) attachRealtime(server, identifySocket, gateway, clock)
    const smtp = smtpAt === 'off' ? 'off' : await listenSmtp(smtpAt)
    const httpPort = await listenHttp(server, settings.http)
    const base = settings.publicUrl ?? `http://${shownHost(settings.http.host)}:${httpPort}`
    listening = { url: `${base}/v1`, consoleUrl: settings.consoleUrl ?? `${base}/console`, smtp }
    if (metrics && settings.metrics) {
      metricsServer = createMetricsServer(
        () => metrics.read(ports, gateway, storage, embedders !== undefined),
        logger,
      )
      const metricsPort = await listenHttp(metricsServer, settings.metrics, 'metrics')
      listening.metrics = `${shownHost(settings.metrics.host)}:${metricsPort}`
    }
    return listening
  }

  async function close(): Promise<void> {
    if (listening && settings.drainSeconds > 0)
      await new Promise<void>((resolve) => clock.after(settings.drainSeconds * 1_000, resolve))
    ending.abort()
    // 23 s in total, as documented in docs/operating.md.
    await closeInStages({ clock, logger }, [
      ['SMTP or a socket', 6_000, () => [receiver?.close(), channel?.close(), gateway.close()]],
      ['HTTP', 6_000, () => [closeServer(server), closeServer(metricsServer)]],
      ['a queue', 7_000, () => [ports.revocations.close().then(() => workers?.close())]],
      [
        'a thread',
        2_000,
        () => [fetcher.close(), ports.parser.close(), ports.extractor.close(), threads.close()],
      ],
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
    ownerLink: () => signIn.ownerLink(),
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
