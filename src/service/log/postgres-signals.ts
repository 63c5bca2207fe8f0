import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import type { Clock, Logger } from '../ports'
import { cutOff } from '../store'
import { createLocalSignals } from './local-signals'
import type { NodeSignals } from './ports'

interface PostgresSignalsOptions {
  /** The URL of PostgreSQL itself, not of a pooler that hands connections from one client to another. */
  url: string
  clock: Clock
  logger: Logger
}

/** PostgreSQL takes less than 8,000 bytes at once. */
const maxPayloadBytes = 7_000
const queryTimeoutMs = 5_000
const heartbeatMs = 30_000
const endMs = 500
const retriesMs = [100, 500, 1_000, 5_000]

const deaf =
  'PostgreSQL does not bring the notifications of other nodes, who are noticed seconds later: behind a pooler, name PostgreSQL itself with RESTANTE_DATABASE_DIRECT_URL'

/** Says goodbye, and cuts off a connection that does not answer. */
async function endOrCut(client: Client): Promise<void> {
  const timer = setTimeout(() => cutOff(client), endMs)
  await client.end().catch(() => {})
  clearTimeout(timer)
}

/** Takes as many topics as one notification holds out of those that wait. */
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
 * Wakes listeners of this process at once, and those of other nodes by LISTEN and NOTIFY, on a connection of its own that
 * is made anew whenever it breaks. What is published while a notification is on its way shares the next one. A
 * notification that is lost costs latency only: whoever waits looks by itself every few seconds.
 *
 * Nodes hear each other where they use the same schema of the same database.
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
    // Nobody can be told of these any more in time.
    pending.clear()
    sending = undefined
  }

  /** Notifies itself, and warns where the last such notification did not come back: then it hears no other node. */
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
