import type { CallOptions, Client } from '../../client/client'
import { RestanteError } from '../../protocol/errors/error'
import type { LeasedMessage } from '../../protocol/records/consumer'
import type { Clock } from '../../protocol/time/clock'
import { Lease, type Moment, momentOf, type Settlement, type Settler } from '../base/consumer-lease'

const extendEveryMs = 5_000
/** Time after which a lease ends, from when the service gave or extended it. */
const leaseMs = 20_000
const maxLeases = 100
/** Most other messages that an acknowledgement names. */
const maxAlong = 1_000
/** Time limit for a release: a lease expires by itself, so retries are not worth more. */
const releaseForMs = 2_000

const leaseLost = () =>
  new RestanteError(
    'lease_lost',
    'the lease has ended, and another worker may have the message: this process did not reach the service for 20 seconds',
  )

/** Collects ids during a request and sends them together in the next one. */
class Batch {
  readonly #send: (ids: string[]) => Promise<unknown>
  #waiting: { id: string; resolve: () => void; reject: (error: unknown) => void }[] = []
  #sending = false

  constructor(send: (ids: string[]) => Promise<unknown>) {
    this.#send = send
  }

  add(id: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ id, resolve, reject })
      if (!this.#sending) void this.#sendAll()
    })
  }

  async #sendAll(): Promise<void> {
    this.#sending = true
    // Ids of the same turn of the event loop are sent together, too.
    await new Promise((resolve) => setTimeout(resolve))
    while (this.#waiting.length > 0) {
      const some = this.#waiting.splice(0, maxLeases)
      try {
        await this.#send(some.map(({ id }) => id))
        for (const { resolve } of some) resolve()
      } catch (error) {
        for (const { reject } of some) reject(error)
      }
    }
    this.#sending = false
  }
}

/** Options of {@link ConsumerLeases}. */
interface ConsumerLeasesOptions {
  client: Client
  clock: Clock
  name: string
  onError(error: unknown): void
}

/** The leases of one consumer in this process: extends them, and reports their outcomes to the service. */
export class ConsumerLeases implements Settler {
  readonly #options: ConsumerLeasesOptions
  readonly #held = new Map<string, Lease>()
  /** Lost leases whose messages bodies still handle. */
  readonly #lost = new Set<Lease>()
  readonly #telling = new Set<Promise<unknown>>()
  readonly #acks: Batch
  readonly #releases: Batch
  readonly #leaves: Batch
  #cancelTick: (() => void) | null = null

  constructor(options: ConsumerLeasesOptions) {
    this.#options = options
    const { consumers } = options.client
    const { name } = options
    this.#acks = new Batch((leases) => consumers.ack({ name, leases }))
    this.#releases = new Batch((leases) =>
      consumers.release({ name, leases }, { retry: { totalMs: releaseForMs } }),
    )
    this.#leaves = new Batch((leases) =>
      consumers.nack({ name, leases }, { retry: { totalMs: releaseForMs } }),
    )
  }

  /** Adds a lease. @param askedAt Time of the request that returned it: the lease is not older. */
  add(record: LeasedMessage, askedAt: Moment): Lease {
    const lease = new Lease(record, this.#options.name, this)
    lease.hold(askedAt, leaseMs)
    this.#held.set(lease.id, lease)
    this.#cancelTick ??= this.#options.clock.background(extendEveryMs, () => this.#tick())
    return lease
  }

  /** Extends leases that may have ended before their response was read, as in a suspended process. */
  async confirm(leases: readonly Lease[]): Promise<void> {
    const now = momentOf(this.#options.clock)
    const unsure = leases.filter((lease) => !lease.isHeldAt(now))
    if (unsure.length === 0) return
    await this.#extend(unsure, { retry: false, timeoutMs: extendEveryMs }).catch(() => {
      for (const lease of unsure) this.#lose(lease)
    })
  }

  /** Drops a lease that has expired without notice. */
  drop(lease: Lease): void {
    if (!lease.isSettled) this.#lose(lease)
  }

  /**
   * Resolves once the body that already handles the message of a new lease is done; that body's lease was
   * lost. Null if there is no such body.
   */
  bodyOf(lease: Lease): Promise<void> | null {
    const { id } = lease.record.message
    const isSame = (other: Lease) => other !== lease && other.isBegun && other.record.message.id === id
    const before = [...this.#held.values(), ...this.#lost].filter(isSame)
    for (const one of before) this.drop(one)
    return before.length === 0 ? null : Promise.all(before.map((one) => one.bodyOver)).then(() => {})
  }

  /** Leases whose messages bodies handle now. */
  begun(): Lease[] {
    return [...this.#held.values()].filter((lease) => lease.isBegun)
  }

  /** Resolves once every outcome was reported, or could not be. */
  async settled(): Promise<void> {
    while (this.#telling.size > 0) await Promise.allSettled(this.#telling)
  }

  /** Releases all leases; resolves once that was reported. Null if there is nothing to report. */
  close(): Promise<void> | null {
    for (const lease of this.#held.values()) void lease.release()
    return this.#telling.size === 0 ? null : this.settled()
  }

  settle(lease: Lease, settlement: Settlement): Promise<void> {
    this.#held.delete(lease.id)
    if (this.#held.size === 0) this.#stopTicking()
    const settled = this.#settled(lease, settlement)
    this.#telling.add(settled)
    const forget = () => void this.#telling.delete(settled)
    settled.then(forget, (error) => {
      forget()
      this.#options.onError(error)
    })
    return settled
  }

  async extend(lease: Lease): Promise<void> {
    if (lease.isSettled && !lease.lost.aborted) return
    if (!lease.lost.aborted) await this.#extend([lease], {})
    if (lease.lost.aborted) throw lease.lost.reason
  }

  async #settled({ id }: Lease, settlement: Settlement): Promise<void> {
    const { client, name } = this.#options
    if (settlement.kind === 'release') return this.#releases.add(id)
    if (settlement.kind === 'leave') return this.#leaves.add(id)
    if (settlement.kind === 'nack')
      return void (await client.consumers.nack({ name, leases: [id], delay_ms: settlement.delayMs }))
    if (settlement.messageIds.length === 0) return this.#acks.add(id)
    // The others are delivered again.
    const message_ids = settlement.messageIds.slice(0, maxAlong)
    await client.consumers.ack({ name, leases: [id], message_ids })
  }

  #stopTicking(): void {
    this.#cancelTick?.()
    this.#cancelTick = null
  }

  #tick(): void {
    const { clock } = this.#options
    this.#cancelTick = clock.background(extendEveryMs, () => this.#tick())
    const leases = [...this.#held.values()]
    for (let at = 0; at < leases.length; at += maxLeases)
      // The next extension comes soon, and well before the leases end.
      this.#extend(leases.slice(at, at + maxLeases), { retry: false, timeoutMs: extendEveryMs }).catch(
        () => {},
      )
  }

  async #extend(leases: readonly Lease[], options: CallOptions): Promise<void> {
    const { client, name } = this.#options
    const ids = leases.map(({ id }) => id)
    const askedAt = momentOf(this.#options.clock)
    const { lost } = await client.consumers.extend({ name, leases: ids }, options)
    for (const lease of leases) {
      // A lease settled meanwhile is not lost.
      if (lease.isSettled) continue
      if (!lost.includes(lease.id)) {
        lease.hold(askedAt, leaseMs)
        continue
      }
      this.#lose(lease)
    }
  }

  #lose(lease: Lease): void {
    this.#held.delete(lease.id)
    if (lease.isBegun) {
      this.#lost.add(lease)
      void lease.bodyOver.then(() => this.#lost.delete(lease))
    }
    lease.lose(leaseLost())
    if (this.#held.size === 0) this.#stopTicking()
  }
}
