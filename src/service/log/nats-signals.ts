import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { loadLater } from '../base/load-later'
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

class NatsSignals implements NodeSignals {
  readonly #url
  readonly #database
  readonly #clock
  readonly #logger
  readonly #local
  readonly #pending = new Set<string>()
  #link: { connection: NatsConnection; subject: string } | undefined
  #isUp = false
  #failures = 0
  #sending: NodeJS.Immediate | undefined
  #closed = false
  readonly connected

  constructor({ url, database, clock, logger }: NatsSignalsOptions) {
    this.#url = url
    this.#database = database
    this.#clock = clock
    this.#logger = logger
    this.#local = createLocalSignals()
    this.connected = new Promise<void>((resolve) => {
      this.#onConnected = resolve
    })
    this.#connect().catch(this.#tryAgain)
  }

  readonly subscribe: NodeSignals['subscribe'] = (topic, listener) => this.#local.subscribe(topic, listener)

  readonly publish: NodeSignals['publish'] = (topic, hint) => {
    this.#local.publish(topic, hint)
    if (!this.#isUp) return
    this.#pending.add(topic)
    this.#sending ??= setImmediate(this.#send)
  }

  readonly #tryAgain = (error: unknown): void => {
    if (this.#closed) return
    if (this.#failures === 0) this.#warn(error)
    const delayMs = retriesMs[Math.min(this.#failures, retriesMs.length - 1)]!
    this.#failures += 1
    this.#cancel = this.#clock.background(delayMs, () => void this.#connect().catch(this.#tryAgain))
  }

  readonly #send = (): void => {
    this.#sending = undefined
    const topics = [...this.#pending]
    this.#pending.clear()
    if (!this.#link || !this.#isUp) return
    for (let at = 0; at < topics.length; at += maxTopics)
      this.#link.connection.publish(this.#link.subject, JSON.stringify(topics.slice(at, at + maxTopics)))
  }

  async close() {
    this.#closed = true
    this.#cancel()
    if (this.#sending) clearImmediate(this.#sending)
    this.#send()
    // Published topics are sent before the connection closes.
    const { connection } = this.#link ?? {}
    const timer = setTimeout(() => void connection?.close().catch(() => {}), endMs)
    await (this.#isUp ? connection?.drain() : connection?.close())?.catch(() => {})
    clearTimeout(timer)
  }

  #onConnected = () => {}

  #cancel = () => {}

  #warn(error: unknown) {
    return this.#logger.warn({ error }, 'NATS cannot be reached: other nodes are noticed seconds later')
  }

  /** Follows the connection, which the client restores by itself. */
  async #follow(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') this.#isUp = false
      if (status.type === 'reconnect') this.#isUp = true
      if (status.type === 'disconnect') this.#warn(undefined)
      // For example, the login may not publish.
      if (status.type === 'error') this.#warn(status.error)
    }
  }

  async #connect(): Promise<void> {
    const [{ connect }, id] = await Promise.all([loadNats(), this.#database()])
    const connection = await connect({
      ...optionsOf(this.#url),
      name: 'restante',
      noEcho: true,
      timeout: connectTimeoutMs,
      maxReconnectAttempts: -1,
      reconnectTimeWait: reconnectMs,
    })
    if (this.#closed) return connection.close()
    const subject = `restante.${id}`
    connection.subscribe(subject, {
      callback: (error, message) => {
        if (!error) for (const topic of topicsOf(message)) this.#local.publish(topic)
      },
    })
    // The server has processed the subscription before it answers this.
    await connection.flush().catch((error: unknown) => {
      void connection.close()
      throw error
    })
    void this.#follow(connection)
    this.#link = { connection, subject }
    this.#isUp = true
    this.#onConnected()
  }
}

/**
 * Creates signals that wake listeners of this process at once, and those of other nodes by NATS messages,
 * which nobody stores. Topics published within one turn share a message. While no server is reachable,
 * signals are dropped: waiting readers poll every few seconds.
 */
export const createNatsSignals = (options: NatsSignalsOptions): NodeSignals => new NatsSignals(options)
