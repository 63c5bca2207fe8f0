import { sql } from 'kysely'
import type { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { isServiceError } from '../../protocol/errors/error'
import { minuteMs } from '../base/time'
import type { HttpPorts } from '../http/handlers/ports'
import type { SmtpHandler } from '../inbound/smtp/receiver'
import type { Transport } from '../outbound/delivery/transport'
import type { LogHint, Signals } from '../ports'
import type { Gateway } from '../realtime/gateway'
import { readEmbeddingBacklog } from '../search/semantic/backlog'
import { readConnections } from './readiness'
import type { StorageWatch } from './storage'

const prefix = 'restante_'

/** Counters. Their labels come from closed sets, never from accounts, addresses or strangers. */
const counters = {
  mails_refused: ['Mails and recipients that the SMTP receiver refused, by reason', 'reason'],
  events: [
    'Events of all logs, by type: mail received, sent, deferred, bounced, and every other change',
    'type',
  ],
  delivery_attempts: ['Attempts to deliver to a recipient elsewhere, by outcome', 'outcome'],
  webhook_attempts: ['Attempts to tell a webhook, by what became of the delivery', 'status'],
  rate_limited: ['What was held to a limit, by which', 'limit'],
} as const

/** Metrics of a service. */
interface Metrics {
  limited(limit: string): void
  answered(route: string, status: number, seconds: number): void
  smtpHandler(handler: SmtpHandler): SmtpHandler
  transport(transport: Transport): Transport
  webhookTried(status: string): void
  signals(signals: Signals): Signals
  /** Returns all metrics in the format of Prometheus, with current values of the process and the database. */
  read(
    ports: HttpPorts,
    sockets: Pick<Gateway, 'size' | 'positions'>,
    storage: StorageWatch,
    embeds: boolean,
  ): Promise<string>
}

/** Reads the due jobs, and how far webhooks are behind, when metrics are read. */
async function readBacklog({ store, clock }: HttpPorts) {
  const time = new Date(clock.now()).toISOString()
  const jobs = await store.db
    .selectFrom('jobs')
    .select((job) => ['queue', job.fn.countAll<number>().as('due'), job.fn.min('run_at').as('oldest')])
    .where('held', 'is', null)
    .where('run_at', '<=', time)
    // While a connected mailbox is checked, its job has a lease and is not due.
    .where((or) => or.or([or('queue', '!=', 'connections'), or('lease_until', 'is', null)]))
    .groupBy('queue')
    .execute()
  const lag = await store.db
    .selectFrom('webhooks')
    .innerJoin('accounts', 'accounts.tenant_id', 'webhooks.tenant_id')
    .select(sql<number | null>`max(accounts.seq - webhooks.cursor)`.as('events'))
    .where('webhooks.enabled', '=', 1)
    .executeTakeFirst()
  const ageOf = (oldest: string) => Math.max(0, (clock.now() - Date.parse(oldest)) / 1000)
  return {
    jobs: jobs.map(({ queue, due, oldest }) => ({ queue, due: Number(due), ageSeconds: ageOf(oldest) })),
    webhookLag: Number(lag?.events ?? 0),
  }
}

const maxAsked = 500

/** Returns the number of events that the slowest socket is behind the log of its account. */
async function readSocketLag({ store }: HttpPorts, positions: ReadonlyMap<string, number>): Promise<number> {
  const tenantIds = [...positions.keys()]
  let lag = 0
  for (let i = 0; i < tenantIds.length; i += maxAsked) {
    const heads = await store.db
      .selectFrom('accounts')
      .select(['tenant_id', 'seq'])
      .where('tenant_id', 'in', tenantIds.slice(i, i + maxAsked))
      .execute()
    for (const { tenant_id, seq } of heads) lag = Math.max(lag, seq - positions.get(tenant_id)!)
  }
  return lag
}

type Client = typeof import('#prom-client')

/** Creates what is measured, on a registry. */
function createInstruments(client: Client, registry: Registry) {
  const made = Object.fromEntries(
    Object.entries(counters).map(([name, [help, label]]) => [
      name,
      new client.Counter({
        name: `${prefix}${name}_total`,
        help,
        labelNames: [label],
        registers: [registry],
      }),
    ]),
  ) as Record<keyof typeof counters, Counter>
  const histogram = (name: string, help: string, labelNames: string[] = []): Histogram =>
    new client.Histogram({ name: `${prefix}${name}`, help, labelNames, registers: [registry] })
  const gauge = (name: string, help: string, labelNames: string[] = []): Gauge =>
    new client.Gauge({ name: `${prefix}${name}`, help, labelNames, registers: [registry] })
  const ingest = histogram('ingest_seconds', 'From the end of a mail to its commit')
  const requests = histogram('http_request_seconds', 'HTTP requests', ['route', 'status'])
  const due = gauge('jobs_due', 'Jobs that are due, by queue', ['queue'])
  const age = gauge('jobs_oldest_seconds', 'How long the oldest due job has waited, by queue', ['queue'])
  const lag = gauge('webhook_lag_events', 'Events that the webhook furthest behind has not been told of')
  const open = gauge('sockets_open', 'Realtime sockets')
  const socketLag = gauge('socket_lag_events', 'Events that the socket furthest behind has not been told of')
  const connected = gauge('connections', 'Connected mailboxes, by state', ['state'])
  const unembedded = gauge('embedding_waiting_messages', 'Messages without vectors for semantic search')
  const unembeddedAge = gauge('embedding_oldest_seconds', 'Age of the oldest message without vectors')
  const parsing = gauge('parser_waiting_mails', 'Mails that wait to be read by a parser thread')
  const embedding = { unembedded, unembeddedAge }
  return { made, gauge, ingest, requests, due, age, lag, open, socketLag, connected, embedding, parsing }
}

type Instruments = ReturnType<typeof createInstruments>

/** Creates the function that sets the gauges, and returns all metrics as text. */
function createRead(registry: Registry, instruments: Instruments): Metrics['read'] {
  const { gauge, due, age, lag, open, socketLag, connected, embedding, parsing } = instruments
  let free: Gauge | undefined
  let skew: Gauge | undefined
  let countedAtMs = Number.NEGATIVE_INFINITY
  return async (ports, sockets, storage, embeds) => {
    const backlog = await readBacklog(ports)
    due.reset()
    age.reset()
    for (const { queue, due: count, ageSeconds } of backlog.jobs) {
      due.set({ queue }, count)
      age.set({ queue }, ageSeconds)
    }
    lag.set(backlog.webhookLag)
    open.set(sockets.size())
    socketLag.set(await readSocketLag(ports, sockets.positions()))
    connected.reset()
    for (const [state, count] of Object.entries(await readConnections(ports))) connected.set({ state }, count)
    // It reads each message that waits.
    if (embeds && ports.clock.now() - countedAtMs >= minuteMs) {
      countedAtMs = ports.clock.now()
      const { messages, oldestAt } = await readEmbeddingBacklog(ports.store.db)
      embedding.unembedded.set(messages)
      embedding.unembeddedAge.set(
        oldestAt === null ? 0 : Math.max(0, (ports.clock.now() - Date.parse(oldestAt)) / 1_000),
      )
    }
    parsing.set(ports.parser.waiting())
    const { clock } = ports.store
    if (clock) {
      skew ??= gauge('clock_skew_seconds', 'How far the clock of this machine is ahead of the database')
      skew.set(clock.skewMs() / 1_000)
    }
    const freeBytes = await storage.freeBytes()
    // A gauge that is never set would report 0.
    if (freeBytes !== null) {
      free ??= gauge('storage_free_bytes', 'Bytes free on the disk of the data folder')
      free.set(freeBytes)
    }
    return registry.metrics()
  }
}

/** Creates metrics with prom-client, which is loaded only here. */
export async function createMetrics(): Promise<Metrics> {
  const client = await import('#prom-client')
  const registry: Registry = new client.Registry()
  const instruments = createInstruments(client, registry)
  const { made, ingest, requests } = instruments
  client.collectDefaultMetrics({ register: registry })

  const refused = (error: unknown): never => {
    made.mails_refused.inc({ reason: isServiceError(error) ? error.code : 'internal_error' })
    throw error
  }

  return {
    webhookTried: (status) => made.webhook_attempts.inc({ status }),
    limited: (limit) => made.rate_limited.inc({ limit }),
    answered: (route, status, seconds) => requests.observe({ route, status: String(status) }, seconds),
    smtpHandler: (handler) => ({
      admit: (recipient, envelope) => handler.admit(recipient, envelope).catch(refused),
      accept: (envelope, raw) => {
        const end = ingest.startTimer()
        return handler.accept(envelope, raw).finally(end).catch(refused)
      },
    }),
    transport: (transport) => ({
      siteOf: (domain) => transport.siteOf(domain),
      close: () => transport.close(),
      async send(mail, signal, settle) {
        const outcomes = await transport.send(mail, signal, settle)
        for (const { outcome } of outcomes) made.delivery_attempts.inc({ outcome })
        return outcomes
      },
    }),
    signals: (signals) => ({
      subscribe: (topic, listener) => signals.subscribe(topic, listener),
      publish(topic, hint?: LogHint) {
        for (const { type } of hint?.() ?? []) made.events.inc({ type })
        signals.publish(topic, hint)
      },
    }),
    read: createRead(registry, instruments),
  }
}
