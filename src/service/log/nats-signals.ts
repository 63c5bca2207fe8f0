import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { loadLater } from '../base'
import type { Clock, Logger } from '../ports'
import { createLocalSignals } from './local-signals'
import type { NodeSignals } from './ports'

interface NatsSignalsOptions {
  /** URLs of the servers of one NATS, separated by commas: `nats://user:password@host:4222`. */
  url: string
  /** Id of the database: nodes with the same id hear each other. */
  database: () => Promise<string>
  clock: Clock
  logger: Logger
}

const connectTimeoutMs = 5_000
const retriesMs = [100, 500, 1_000, 5_000]
/**
 * Time between reconnects of the client, which never stops; below the polling interval, so that NATS is back
 * first.
 */
const reconnectMs = 1_000
/** Time after which a connection that does not answer is closed. */
const endMs = 500
/** Topics in one message: a server accepts up to a megabyte. */
const maxTopics = 1_000
const loadNats = loadLater(() => import('#nats'))

/** Options of the client: the login is taken from the first URL that has one. */
function optionsOf(url: string) {
  const urls = url.split(',').map((one) => new URL(one.trim()))
  const { username = '', password = '' } = urls.find((one) => one.username !== '') ?? {}
  const [user, pass] = [username, password].map(decodeURIComponent)
  return {
    servers: urls.map(({ host }) => host),
    ...(urls.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
    ...(user && (pass ? { user, pass } : { token: user })),
  }
}

/** Reads the topics of a message, and ignores anything else: any client of the server may publish. */
function topicsOf(message: Msg): string[] {
  try {
    const topics: unknown = message.json()
    return Array.isArray(topics) ? topics.filter((topic) => typeof topic === 'string') : []
  } catch {
    return []
  }
}

/**
 * Creates signals that wake listeners of this process at once, and those of other nodes by NATS messages,
 * which nobody stores. Topics published within one turn share a message. While no server is reachable,
 * signals are dropped: waiting readers poll every few seconds.
 */
export function createNatsSignals({ url, database, clock, logger }: NatsSignalsOptions): NodeSignals {
  const local = createLocalSignals()
  const pending = new Set<string>()
  let link: { connection: NatsConnection; subject: string } | undefined
  let isUp = false
  let failures = 0
  let sending: NodeJS.Immediate | undefined
  let closed = false
  let cancel = () => {}
  let onConnected = () => {}
  const connected = new Promise<void>((resolve) => {
    onConnected = resolve
  })

  function send(): void {
    sending = undefined
    const topics = [...pending]
    pending.clear()
    if (!link || !isUp) return
    for (let at = 0; at < topics.length; at += maxTopics)
      link.connection.publish(link.subject, JSON.stringify(topics.slice(at, at + maxTopics)))
  }

  const warn = (error: unknown) =>
    logger.warn({ error }, 'NATS cannot be reached: other nodes are noticed seconds later')

  /** Follows the connection, which the client restores by itself. */
  async function follow(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') isUp = false
      if (status.type === 'reconnect') isUp = true
      if (status.type === 'disconnect') warn(undefined)
      // For example, the login may not publish.
      if (status.type === 'error') warn(status.error)
    }
  }

  async function connect(): Promise<void> {
    const [{ connect }, id] = await Promise.all([loadNats(), database()])
    const connection = await connect({
      ...optionsOf(url),
      name: 'restante',
      noEcho: true,
      timeout: connectTimeoutMs,
      maxReconnectAttempts: -1,
      reconnectTimeWait: reconnectMs,
    })
    if (closed) return connection.close()
    const subject = `restante.${id}`
    connection.subscribe(subject, {
      callback(error, message) {
        if (!error) for (const topic of topicsOf(message)) local.publish(topic)
      },
    })
    // The server has processed the subscription before it answers this.
    await connection.flush().catch((error: unknown) => {
      void connection.close()
      throw error
    })
    void follow(connection)
    link = { connection, subject }
    isUp = true
    onConnected()
  }

  function tryAgain(error: unknown): void {
    if (closed) return
    if (failures === 0) warn(error)
    const delayMs = retriesMs[Math.min(failures, retriesMs.length - 1)]!
    failures += 1
    cancel = clock.background(delayMs, () => void connect().catch(tryAgain))
  }

  connect().catch(tryAgain)
  return {
    connected,
    subscribe: local.subscribe,
    publish(topic, hint) {
      local.publish(topic, hint)
      if (!isUp) return
      pending.add(topic)
      sending ??= setImmediate(send)
    },
    async close() {
      closed = true
      cancel()
      if (sending) clearImmediate(sending)
      send()
      // Published topics are sent before the connection closes.
      const { connection } = link ?? {}
      const timer = setTimeout(() => void connection?.close().catch(() => {}), endMs)
      await (isUp ? connection?.drain() : connection?.close())?.catch(() => {})
      clearTimeout(timer)
    },
  }
}
