import type { CallOptions, Client } from '../client'
import { type Delivery as DeliveryRecord, RestanteError } from '../protocol'
import type { Clock } from './clock'
import { Hold, type Settler, type Verdict } from './consumer-hold'

const extendEveryMs = 5_000
const mostLeases = 100
/** A lease ends by itself: to give one back is not worth waiting for long. */
const releaseForMs = 2_000

const leaseLost = () =>
  new RestanteError(
    'lease_lost',
    'the lease of this message has ended, and another worker may have the message: this process did not reach the service for 20 seconds, or was not running',
  )

/** Sends what comes while a request is under way together with the next. */
class Batch {
  readonly #send: (leases: string[]) => Promise<unknown>
  #waiting: { lease: string; resolve: () => void; reject: (error: unknown) => void }[] = []
  #sending = false

  constructor(send: (leases: string[]) => Promise<unknown>) {
    this.#send = send
  }

  add(lease: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ lease, resolve, reject })
      if (!this.#sending) void this.#sendAll()
    })
  }

  async #sendAll(): Promise<void> {
    this.#sending = true
    // Those of the same turn of the event loop go together too.
    await new Promise((resolve) => setTimeout(resolve))
    while (this.#waiting.length > 0) {
      const some = this.#waiting.splice(0, mostLeases)
      try {
        await this.#send(some.map(({ lease }) => lease))
        for (const { resolve } of some) resolve()
      } catch (error) {
        for (const { reject } of some) reject(error)
      }
    }
    this.#sending = false
  }
}

/** What a {@link ConsumerLeases} needs. */
export interface ConsumerLeasesOptions {
  client: Client
  clock: Clock
  name: string
  onError(error: unknown): void
}

/** The messages of one consumer that this process has: keeps their leases, and tells the service what became of them. */
export class ConsumerLeases implements Settler {
  readonly #options: ConsumerLeasesOptions
  readonly #held = new Map<string, Hold>()
  readonly #telling = new Set<Promise<unknown>>()
  readonly #acks: Batch
  readonly #releases: Batch
  #cancelTick: (() => void) | null = null

  constructor(options: ConsumerLeasesOptions) {
    this.#options = options
    const { consumers } = options.client
    const { name } = options
    this.#acks = new Batch((leases) => consumers.ack({ name, leases }))
    this.#releases = new Batch((leases) =>
      consumers.release({ name, leases }, { retry: { totalMs: releaseForMs } }),
    )
  }

  /** Takes what was handed out into its care. */
  hold(record: DeliveryRecord): Hold {
    const hold = new Hold(record, this.#options.name, this)
    this.#held.set(hold.lease, hold)
    this.#cancelTick ??= this.#options.clock.background(extendEveryMs, () => this.#tick())
    return hold
  }

  /** What bodies are at. */
  begun(): Hold[] {
    return [...this.#held.values()].filter((hold) => hold.isBegun)
  }

  /** Resolves once the service was told, or could not be told, of all that is no longer in hand. */
  async told(): Promise<void> {
    while (this.#telling.size > 0) await Promise.allSettled(this.#telling)
  }

  /** Gives back what is in hand; resolves once everything was told. Null where there is nothing to tell. */
  close(): Promise<void> | null {
    for (const hold of this.#held.values()) void hold.release()
    return this.#telling.size === 0 ? null : this.told()
  }

  settle(hold: Hold, verdict: Verdict): Promise<void> {
    this.#held.delete(hold.lease)
    if (this.#held.size === 0) this.#stopTicking()
    const told = this.#told(hold, verdict)
    this.#telling.add(told)
    const forget = () => void this.#telling.delete(told)
    told.then(forget, (error) => {
      forget()
      this.#options.onError(error)
    })
    return told
  }

  async extend(hold: Hold): Promise<void> {
    if (hold.isSettled && !hold.lost.aborted) return
    if (!hold.lost.aborted) await this.#extend([hold], {})
    if (hold.lost.aborted) throw hold.lost.reason
  }

  async #told({ lease }: Hold, verdict: Verdict): Promise<void> {
    const { client, name } = this.#options
    if (verdict.kind === 'release') return this.#releases.add(lease)
    if (verdict.kind === 'nack')
      return void (await client.consumers.nack({ name, leases: [lease], delay_ms: verdict.delayMs }))
    if (verdict.messageIds.length === 0) return this.#acks.add(lease)
    await client.consumers.ack({ name, leases: [lease], message_ids: [...verdict.messageIds] })
  }

  #stopTicking(): void {
    this.#cancelTick?.()
    this.#cancelTick = null
  }

  #tick(): void {
    const { clock } = this.#options
    this.#cancelTick = clock.background(extendEveryMs, () => this.#tick())
    const holds = [...this.#held.values()]
    for (let at = 0; at < holds.length; at += mostLeases)
      // The next one comes soon, and well before the lease ends.
      this.#extend(holds.slice(at, at + mostLeases), { retry: false, timeoutMs: extendEveryMs }).catch(
        () => {},
      )
  }

  async #extend(holds: readonly Hold[], options: CallOptions): Promise<void> {
    const { client, name } = this.#options
    const leases = holds.map(({ lease }) => lease)
    const { lost } = await client.consumers.extend({ name, leases }, options)
    for (const hold of holds) {
      // What was settled meanwhile is no longer held, and not lost.
      if (hold.isSettled || !lost.includes(hold.lease)) continue
      this.#held.delete(hold.lease)
      hold.lose(leaseLost())
    }
    if (this.#held.size === 0) this.#stopTicking()
  }
}
