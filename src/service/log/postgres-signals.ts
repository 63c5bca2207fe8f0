import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import type { Clock, Logger } from '../ports'
import { cutOff } from '../store'
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

/**
 * Creates signals that wake listeners of this process at once, and those of other nodes by LISTEN and NOTIFY.
 * They use a connection of their own, which is reopened whenever it breaks. Topics published while a
 * notification is sent share the next one. A lost notification costs only latency: waiting readers poll every
 * few seconds.
 *
 * Nodes hear each other if they use the same schema of the same database.
 */
export function createPostgresSignals({ url, clock, logger }: PostgresSignalsOptions): NodeSignals {
  const local = createLocalSignals()
  const node = randomUUID()
  const pending = new Set<string>()
  let link: { client: Client; channel: string } | undefined
  let heard = false
  let failures = 0
  let sending: Promise<void> | undefined
  let closed = false
  let cancel = () => {}
  let onConnected = () => {}
  const connected = new Promise<void>((resolve) => {
    onConnected = resolve
  })

  function receive(payload = '[]'): void {
    const [from, ...topics] = JSON.parse(payload) as string[]
    if (from === node) heard = true
    else for (const topic of topics) local.publish(topic)
  }

  const notify = ({ client, channel }: NonNullable<typeof link>, payload: string) =>
    client.query('select pg_notify($1, $2)', [channel, payload])

  async function send(): Promise<void> {
    try {
      while (link && pending.size > 0) await notify(link, takePayload(node, pending))
    } catch (error) {
      drop(error)
    }
    // It is too late to publish these.
    pending.clear()
    sending = undefined
  }

  /** Notifies itself, and warns if its last notification did not come back: then it hears no other node. */
  async function beat(): Promise<void> {
    if (!link || closed) return
    if (!heard) logger.warn({}, deaf)
    heard = false
    await notify(link, JSON.stringify([node]))
    cancel = clock.background(heartbeatMs, () => void beat().catch(drop))
  }

  async function connect(): Promise<void> {
    const { default: pg } = await import('pg')
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: queryTimeoutMs,
      query_timeout: queryTimeoutMs,
      keepAlive: true,
    })
    client.on('error', drop)
    client.on('notification', ({ payload }) => receive(payload))
    try {
      await client.connect()
      const { rows } = await client.query("select 'restante_' || md5(current_schema()) as channel")
      await client.query(`listen ${rows[0].channel}`)
      if (closed) return void client.end()
      link = { client, channel: rows[0].channel }
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
    failures = 0
    heard = true
    await beat()
    onConnected()
  }

  function drop(error: unknown): void {
    if (closed) return
    const broken = link
    link = undefined
    broken?.client.removeAllListeners('error').on('error', () => {})
    if (broken) void endOrCut(broken.client)
    cancel()
    if (failures === 0)
      logger.warn({ error }, 'other nodes are not heard for now, and are noticed seconds later')
    const delayMs = retriesMs[Math.min(failures, retriesMs.length - 1)]!
    failures += 1
    cancel = clock.background(delayMs, () => void connect().catch(drop))
  }

  connect().catch(drop)
  return {
    connected,
    subscribe: local.subscribe,
    publish(topic, hint) {
      local.publish(topic, hint)
      if (!link) return
      pending.add(topic)
      sending ??= new Promise<void>((resolve) => setImmediate(resolve)).then(send)
    },
    async close() {
      cancel()
      await sending
      closed = true
      await (link && endOrCut(link.client))
    },
  }
}
