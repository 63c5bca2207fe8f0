import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import type { Clock, Logger } from '../ports'
import { cutOff } from '../store/postgres/connections'
import { createLocalSignals } from './local-signals'
import type { NodeSignals } from './ports'

interface PostgresSignalsOptions {
  /** URL of PostgreSQL itself, not of a pooler, which shares connections between clients. */
  url: string
  clock: Clock
  logger: Logger
}

/** Bytes in one notification: PostgreSQL accepts less than 8,000. */
const maxPayloadBytes = 7_000
const queryTimeoutMs = 5_000
const heartbeatMs = 30_000
const endMs = 500
const retriesMs = [100, 500, 1_000, 5_000]

const deaf =
  'PostgreSQL does not bring the notifications of other nodes, who are noticed seconds later: behind a pooler, name PostgreSQL itself with RESTANTE_DATABASE_DIRECT_URL'

/** Ends a connection, and cuts it off if it does not answer. */
async function endOrCut(client: Client): Promise<void> {
  const timer = setTimeout(() => cutOff(client), endMs)
  await client.end().catch(() => {})
  clearTimeout(timer)
}

/** Removes as many waiting topics as fit into one notification. */
function takePayload(node: string, topics: Set<string>): string {
  const taken: string[] = []
  let bytes = 0
  for (const topic of topics) {
    bytes += Buffer.byteLength(topic) + 3
    if (taken.length > 0 && bytes > maxPayloadBytes) break
    taken.push(topic)
    topics.delete(topic)
  }
  return JSON.stringify([node, ...taken])
}

/** Connection that listens, and the channel of the schema. */
interface Link {
  client: Client
  channel: string
}

class PostgresSignals implements NodeSignals {
  readonly #url
  readonly #clock
  readonly #logger
  readonly #local
  readonly #node
  readonly #pending = new Set<string>()
  #link: Link | undefined
  #heard = false
  #failures = 0
  #sending: Promise<void> | undefined
  #closed = false
  readonly connected: Promise<void>

  constructor({ url, clock, logger }: PostgresSignalsOptions) {
    this.#url = url
    this.#clock = clock
    this.#logger = logger
    this.#local = createLocalSignals()
    this.#node = randomUUID()
    this.connected = new Promise<void>((resolve) => {
      this.#onConnected = resolve
    })
    this.#connect().catch(this.#drop)
  }

  readonly subscribe: NodeSignals['subscribe'] = (topic, listener) => this.#local.subscribe(topic, listener)

  readonly publish: NodeSignals['publish'] = (topic, hint) => {
    this.#local.publish(topic, hint)
    if (!this.#link) return
    this.#pending.add(topic)
    this.#sending ??= new Promise<void>((resolve) => setImmediate(resolve)).then(this.#send)
  }

  readonly #drop = (error: unknown): void => {
    if (this.#closed) return
    const broken = this.#link
    this.#link = undefined
    broken?.client.removeAllListeners('error').on('error', () => {})
    if (broken) void endOrCut(broken.client)
    this.#cancel()
    if (this.#failures === 0)
      this.#logger.warn({ error }, 'other nodes are not heard for now, and are noticed seconds later')
    const delayMs = retriesMs[Math.min(this.#failures, retriesMs.length - 1)]!
    this.#failures += 1
    this.#cancel = this.#clock.background(delayMs, () => void this.#connect().catch(this.#drop))
  }

  readonly #send = async (): Promise<void> => {
    try {
      while (this.#link && this.#pending.size > 0)
        await this.#notify(this.#link, takePayload(this.#node, this.#pending))
    } catch (error) {
      this.#drop(error)
    }
    // It is too late to publish these.
    this.#pending.clear()
    this.#sending = undefined
  }

  async close() {
    this.#cancel()
    await this.#sending
    this.#closed = true
    await (this.#link && endOrCut(this.#link.client))
  }

  #onConnected = () => {}

  #cancel = () => {}

  #receive(payload = '[]'): void {
    const [from, ...topics] = JSON.parse(payload) as string[]
    if (from === this.#node) this.#heard = true
    else for (const topic of topics) this.#local.publish(topic)
  }

  #notify({ client, channel }: Link, payload: string) {
    return client.query('select pg_notify($1, $2)', [channel, payload])
  }

  /** Notifies itself, and warns if its last notification did not come back: then it hears no other node. */
  async #beat(): Promise<void> {
    if (!this.#link || this.#closed) return
    if (!this.#heard) this.#logger.warn({}, deaf)
    this.#heard = false
    await this.#notify(this.#link, JSON.stringify([this.#node]))
    this.#cancel = this.#clock.background(heartbeatMs, () => void this.#beat().catch(this.#drop))
  }

  async #connect(): Promise<void> {
    const { default: pg } = await import('pg')
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: queryTimeoutMs,
      query_timeout: queryTimeoutMs,
      keepAlive: true,
    })
    client.on('error', this.#drop)
    client.on('notification', ({ payload }) => this.#receive(payload))
    try {
      await client.connect()
      const { rows } = await client.query("select 'restante_' || md5(current_schema()) as channel")
      await client.query(`listen ${rows[0].channel}`)
      if (this.#closed) return void client.end()
      this.#link = { client, channel: rows[0].channel }
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
    this.#failures = 0
    this.#heard = true
    await this.#beat()
    this.#onConnected()
  }
}

/**
 * Creates signals that wake listeners of this process at once, and those of other nodes by LISTEN and NOTIFY.
 * They use a connection of their own, which is reopened whenever it breaks. Topics published while a
 * notification is sent share the next one. A lost notification costs only latency: waiting readers poll every
 * few seconds.
 *
 * Nodes hear each other if they use the same schema of the same database.
 */
export const createPostgresSignals = (options: PostgresSignalsOptions): NodeSignals =>
  new PostgresSignals(options)
