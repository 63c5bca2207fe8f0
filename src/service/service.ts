import type { IncomingMessage, Server } from 'node:http'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { pino } from 'pino'
import type { ApiKey, NewApiKey } from '../protocol/console'
import type { Draft } from '../protocol/draft'
import type { SendResult } from '../protocol/message'
import { openAdminChannel } from './admin-channel'
import { accountCommands, waitingCommands } from './administer'
import { backupCommands } from './backup-commands'
import { createClientAddress } from './client-address'
import { createConsolePages } from './console/pages'
import { createSignIn, type TellLink } from './console/sign-in'
import { createInboxLists } from './core/account-inboxes'
import { type Admin, createAdmin } from './core/admin'
import { Admissions } from './core/admissions'
import { createKey, type KeyRequest, listKeys, revokeKey } from './core/api-keys'
import type { Core } from './core/context'
import { recheckDomain } from './core/domain-check'
import { approveDraft, type DraftDecision, rejectDraft } from './core/draft-approval'
import { sendScheduledDraft } from './core/draft-schedule'
import { eraseByJob } from './core/erase-job'
import { EraseSweeper } from './core/erase-sweep'
import { findHome, type Home } from './core/home'
import { hostDkimRecord } from './core/host-dkim'
import { Housekeeper } from './core/housekeeping'
import { createIngest, type MailEnvelope } from './core/ingest'
import { createJobRunner } from './core/job-runner'
import { releaseAllLeases } from './core/jobs'
import { KeyUses } from './core/key-uses'
import { authenticate } from './core/keys'
import { admitRecipient } from './core/reach'
import { Revocations } from './core/revocations'
import { createSecrets } from './core/secrets'
import { createSignupLimits } from './core/signup-limits'
import { SpamCheck } from './core/spam-check'
import { expireUpload } from './core/uploads'
import { releaseWebhookDeliveries } from './core/webhook-attempts'
import { createPolicyFetcher } from './delivery/mta-sts-fetch'
import { createPolicies } from './delivery/mta-sts-policies'
import type { Transport } from './delivery/transport'
import { createCaptureTransport } from './delivery/transport-capture'
import { createDirectTransport } from './delivery/transport-direct'
import { createRelayTransport } from './delivery/transport-relay'
import { createDeliveryWorker } from './delivery/worker'
import { Gate } from './gate'
import { createApp } from './http/app'
import { closeServer, listenHttp, portError, shownHost } from './listen-http'
import { createLocalSignals } from './local-signals'
import { createMailParser, type MailParser } from './mail-parser'
import { createMetricsServer } from './metrics-server'
import type { Clock, Logger, PostToEndpoint, Resolver, Signals, SpamFilter } from './ports'
import { readReadiness } from './readiness'
import { createGateway } from './realtime/gateway'
import { InProcessSocket } from './realtime/in-process'
import { attachRealtime } from './realtime/upgrade'
import { createResolver } from './resolver'
import { SearchIndexer } from './search/indexer'
import { findSecret } from './secret-file'
import { readSettings, type ServiceOptions, type Settings } from './settings'
import type { SmtpDoor } from './smtp/receiver'
import { createThreadedReceiver, type ThreadedReceiver } from './smtp/threaded-receiver'
import { smtpLimitsOf } from './smtp-limits'
import { createDatabaseBlobs } from './store/database-blobs'
import { createFileBlobs } from './store/file-blobs'
import { openStore } from './store/open-store'
import type { Store } from './store/store'
import { systemClock } from './system-clock'
import { WebhookDispatcher } from './webhooks/dispatcher'

/** Where a listening service is reached. */
export interface Listening {
  /** Base address of the interface, ending in `/v1`. */
  url: string
  consoleUrl: string
  /** `host:port` that takes mail. */
  smtp: string
  /** `host:port` that answers `GET /metrics`, where the setting opens one. */
  metrics?: string
}

/** Parts of the outside that a test may own. */
export interface ServicePorts {
  clock?: Clock
  signals?: Signals
  resolver?: Resolver
  logger?: Logger
  /** Judges incoming mail, in place of the one that the settings name. */
  spamFilter?: SpamFilter
  /** The way out for mail to other domains, in place of what the setting `delivery` names. */
  transport?: Transport
  /** Posts to the endpoints of webhooks, in place of HTTP with the address guard. */
  postToEndpoint?: PostToEndpoint
  /** Reads mail, in place of worker threads. */
  parser?: MailParser
  /** Hears of sign-in links whose mail is captured, so that the person at the machine can use them. */
  signInLink?: TellLink
}

/** Decides on drafts that are `pending_approval`, exactly as they were shown: `seq` says which. */
export interface Approvals {
  /** Sends the draft, or schedules it where its time is yet to come. @throws ServiceError `draft_changed`, `not_found` */
  approve(decision: DraftDecision): Promise<SendResult | Draft>
  /** Keeps it from being sent. @throws ServiceError `draft_changed`, `not_found` */
  reject(decision: DraftDecision & { reason?: string }): Promise<Draft>
}

/** The API keys of an account, for the host itself: at the console, operators do this for the accounts they claimed. */
export interface Keys {
  /** Makes a key; its answer is the only place where the key shows. @throws ServiceError `not_found`, `key_limit_reached` */
  create(key: KeyRequest): Promise<NewApiKey>
  /** Oldest first; `cursor` is the `next_cursor` of the page before. */
  list(page: {
    account_id: string
    limit?: number
    cursor?: string
  }): Promise<{ keys: ApiKey[]; next_cursor: string | null }>
  /** Takes a key back at once, and closes what it holds open. @throws ServiceError `not_found` */
  revoke(key: { account_id: string; key_id: string }): Promise<void>
}

/** An e-mail service for agents, in this process. */
export interface Service {
  /** Answers a request of the interface; no port needs to be open. */
  fetch(request: Request): Promise<Response>
  /** Opens a realtime socket within the process. */
  socket(options: { apiKey: string }): InProcessSocket
  /** The account that the service has from the start, with its address and key: the same after every restart. */
  home(): Promise<Home>
  /** What an operator decides on drafts that wait for approval; no key of an agent reaches it. */
  readonly approvals: Approvals
  /**
   * The TXT record to publish so that mail of the service's own domain can be checked (DKIM); the key is made when
   * it is first asked for. Null below `.localhost`, which is never in the DNS.
   */
  dkimRecord(): Promise<{ name: string; value: string } | null>
  /** What the host does to accounts: their plan, and whether they may send, or anything at all. */
  readonly admin: Admin
  readonly keys: Keys
  /**
   * Takes a mail in as the SMTP port does, for hosts that get theirs another way. Resolves once it is on disk.
   *
   * @throws ServiceError `mailbox_unavailable`, `address_retired`, `account_expired`, `account_suspended`, `quota_exceeded`, `sender_blocked`
   */
  receive(envelope: MailEnvelope, raw: Uint8Array<ArrayBuffer>): Promise<{ queueId: string }>
  /** Opens the HTTP and SMTP ports. @throws UsageError `port_unavailable` */
  listen(): Promise<Listening>
  /** Takes nothing new, lets what runs come to its end, and closes everything. Safe to call twice. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const createLogger = (level: Settings['log']): Logger =>
  pino(
    {
      level,
      base: null,
      redact: ['*.authorization', '*.apiKey', '*.api_key'],
      serializers: { error: pino.stdSerializers.err },
    },
    pino.destination({ dest: 2, sync: true }),
  )

async function spamFilterOf({ spamFilter }: Settings): Promise<SpamFilter | undefined> {
  if (spamFilter === undefined) return undefined
  const { createRspamd } = await import('./spam-filter-rspamd')
  return createRspamd(spamFilter)
}

function transportOf({ delivery, domain: hostname }: Settings, core: Core): Transport {
  const { resolver, clock } = core
  if (delivery === 'capture') return createCaptureTransport()
  if (delivery !== 'direct') return createRelayTransport({ url: delivery, hostname, clock })
  const policyOf = createPolicies(core, createPolicyFetcher(core))
  return createDirectTransport({ resolver, hostname, clock, policyOf })
}

const dayMs = 86_400_000

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
  const settings = readSettings(options)
  return joinService(settings, await openStore(settings), ports)
}

/** Joins the parts of a service on a store, which is closed with it. */
export async function joinService(settings: Settings, store: Store, ports: ServicePorts): Promise<Service> {
  const logger = ports.logger ?? createLogger(settings.log)
  const clock = ports.clock ?? systemClock
  const signals = ports.signals ?? createLocalSignals()
  let listening: Listening | undefined
  const here = `http://${shownHost(settings.http.host)}:${settings.http.port}`
  const publicUrl = () => listening?.url ?? `${settings.publicUrl ?? here}/v1`

  const metrics = settings.metrics && (await (await import('./metrics')).createMetrics())
  const filter = ports.spamFilter ?? (await spamFilterOf(settings))
  const core: Core = {
    store,
    logger,
    admissions: new Admissions(),
    inboxLists: createInboxLists(),
    signupLimits: createSignupLimits(settings, () => clock.now()),
    blobs:
      settings.data === undefined
        ? createDatabaseBlobs(store)
        : createFileBlobs(join(settings.data, 'blobs')),
    resolver: ports.resolver ?? createResolver(),
    clock,
    signals: metrics?.signals(signals) ?? signals,
    keyUses: new KeyUses({ store, clock, logger }),
    revocations: new Revocations({ store, clock, signals, logger }),
    parser: ports.parser ?? createMailParser(),
    spamCheck: filter && new SpamCheck({ clock, logger }, filter),
    secrets: createSecrets(findSecret(settings)),
    settings: {
      domain: settings.domain,
      get consoleUrl() {
        return listening?.consoleUrl ?? settings.consoleUrl ?? `${settings.publicUrl ?? here}/console`
      },
      signup: settings.signup,
      webhooksAllowPrivate: settings.webhooksAllowPrivate,
      keepEventsMs: settings.keepEventsDays * dayMs,
      keepExpiredMs: settings.keepExpiredDays * dayMs,
      plans: settings.plans,
    },
  }
  if (store.dialect === 'sqlite') await Promise.all([releaseAllLeases(core), releaseWebhookDeliveries(core)])
  const ingest = createIngest(core)
  const gateway = createGateway(core)
  const { resolver } = core
  const plainTransport = ports.transport ?? transportOf(settings, core)
  const transport = metrics?.transport(plainTransport) ?? plainTransport
  const webhooks = new WebhookDispatcher({
    core,
    resolver,
    post: ports.postToEndpoint,
    onAttempt: metrics?.webhookTried,
  })
  const eraser = new EraseSweeper(core)
  const indexer = new SearchIndexer(core)
  const delivery = createDeliveryWorker({ core, ingest, transport })
  const drafts = createJobRunner({ core, queue: 'drafts', work: (job) => sendScheduledDraft(core, job) })
  const domains = createJobRunner({
    core,
    queue: 'domains',
    work: (job) => recheckDomain(core, job),
    concurrency: 5,
  })
  const uploads = createJobRunner({ core, queue: 'uploads', work: (job) => expireUpload(core, job) })
  const erasures = createJobRunner({
    core,
    queue: 'erase',
    concurrency: 2,
    work: (job, signal) => eraseByJob(core, job, signal),
  })
  const housekeeper = new Housekeeper(core)
  const clientAddress = createClientAddress(settings.trustProxy, () =>
    logger.warn(
      {},
      'requests come through a proxy on this machine, and all count as its own, which no limit holds for: set RESTANTE_TRUST_PROXY=1',
    ),
  )
  const signIn = createSignIn(core, settings.delivery === 'capture' ? ports.signInLink : undefined)
  const pages = createConsolePages()
  const gate = new Gate({ core, ...settings, onLimited: (limit) => metrics?.limited(`http_${limit}`) })
  const app = createApp({
    core,
    gate,
    clientAddress,
    alive: () => closing === undefined,
    readiness: () => readReadiness(core, receiver?.isOpen() ?? false),
    onAnswer: metrics?.answered,
    publicUrl,
    signIn,
    pages,
  })
  const admin = createAdmin(core)
  const commands = { ...backupCommands(eraser), ...waitingCommands(core), ...accountCommands(admin) }
  const channel =
    store.dialect === 'sqlite' && settings.data !== undefined
      ? await openAdminChannel(settings.data, commands, logger)
      : undefined
  let receiver: ThreadedReceiver | undefined
  let server: Server | undefined
  let metricsServer: Server | undefined
  let closing: Promise<void> | undefined

  const admitSocket = (key: string | undefined, { socket, headers }: IncomingMessage) => {
    const header = (name: string) => headers[name]?.toString()
    return gate.admit(key, clientAddress({ socket: socket.remoteAddress, header }))
  }

  // A resolver of the host's own is one to ask, wherever the service runs.
  const checksSenders =
    settings.checkSenders ?? (ports.resolver !== undefined || !/(^|\.)localhost$/.test(settings.domain))

  async function listen(): Promise<Listening> {
    server = createAdaptorServer({ fetch: app.fetch }) as Server
    attachRealtime(server, admitSocket, gateway)
    const door: SmtpDoor = {
      admit: (recipient, { mailFrom }) => admitRecipient(core, recipient, mailFrom),
      accept: ingest,
    }
    receiver = createThreadedReceiver({
      ...settings.smtp,
      ...smtpLimitsOf(settings),
      hostname: settings.domain,
      logger,
      door: metrics?.door(door) ?? door,
      onLimited: (limit) => metrics?.limited(`smtp_${limit}`),
      resolver: checksSenders ? resolver : undefined,
    })
    core.admissions.onForget = receiver.forget
    const { host, port } = await receiver.listen().catch((error) => {
      throw portError('smtp', settings.smtp.host, settings.smtp.port, error)
    })
    const httpPort = await listenHttp(server, settings.http)
    const base = settings.publicUrl ?? `http://${shownHost(settings.http.host)}:${httpPort}`
    const smtp = `${shownHost(host)}:${port}`
    listening = { url: `${base}/v1`, consoleUrl: settings.consoleUrl ?? `${base}/console`, smtp }
    if (metrics && settings.metrics) {
      metricsServer = createMetricsServer(() => metrics.read(core, gateway), logger)
      const metricsPort = await listenHttp(metricsServer, settings.metrics, 'metrics')
      listening.metrics = `${shownHost(settings.metrics.host)}:${metricsPort}`
    }
    return listening
  }

  async function close(): Promise<void> {
    await receiver?.close()
    await channel?.close()
    gateway.close()
    await Promise.all([closeServer(server), closeServer(metricsServer)])
    const workers = [delivery, drafts, uploads, domains, webhooks, erasures, housekeeper, indexer, eraser]
    await Promise.all(workers.map((worker) => worker.close()))
    await core.parser.close()
    await core.keyUses.flush()
    await store.close()
  }

  const closeOnce = () => (closing ??= close())
  return {
    fetch: async (request) => app.fetch(request),
    socket: ({ apiKey }) => new InProcessSocket(gateway, authenticate(core, apiKey)),
    home: () => findHome(core),
    dkimRecord: () => hostDkimRecord(core),
    approvals: {
      approve: (decision) => approveDraft(core, decision),
      reject: (decision) => rejectDraft(core, decision),
    },
    admin,
    keys: {
      create: (key) => createKey(core, key),
      list: ({ limit = 25, ...page }) => listKeys(core, { limit, ...page }),
      revoke: (key) => revokeKey(core, key),
    },
    async receive(envelope, raw) {
      for (const recipient of envelope.recipients) await admitRecipient(core, recipient, envelope.mailFrom)
      return ingest(envelope, raw)
    },
    listen,
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  }
}
