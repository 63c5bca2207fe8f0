import type { LeasedMessage } from '../../protocol/records/consumer'
import { type Clock, monotonicNow } from '../../protocol/time/clock'
import type { OpenSpan } from '../../protocol/trace'

/**
 * Wall clock and monotonic clock. A lease holds only if both agree: somebody may set back the first, and the second
 * stops while the machine sleeps.
 */
export type Moment = readonly [wallMs: number, monotonicMs: number]

/** Returns the current {@link Moment}. */
export const momentOf = (clock: Clock): Moment => [clock.now(), monotonicNow(clock)]

/** Outcome of a lease. */
export type Settlement =
  | { readonly kind: 'ack'; readonly messageIds: readonly string[] }
  | { readonly kind: 'nack'; readonly delayMs: number | undefined }
  | { readonly kind: 'release' }
  | { readonly kind: 'leave' }

/** Sends outcomes of leases to the service. */
export interface Settler {
  settle(lease: Lease, settlement: Settlement): Promise<void>
  extend(lease: Lease): Promise<void>
}

/** A message of a named consumer that this process has leased, until the service knows the outcome. */
export class Lease {
  readonly record: LeasedMessage
  /** Name of the consumer. */
  readonly consumer: string
  readonly #settler: Settler
  readonly #controller = new AbortController()
  readonly #along = new Set<string>()
  /** Resolves once the lease is over: true if it was acknowledged. */
  readonly over: Promise<boolean>
  #end!: (isDone: boolean) => void
  /** Resolves once this process has settled it, even after losing the lease: no body handles it. */
  readonly bodyOver: Promise<void>
  #endBody!: () => void
  #until: Moment = [0, 0]
  #settled: Promise<void> | null = null
  #isBegun = false
  #span: OpenSpan | null = null

  constructor(record: LeasedMessage, consumer: string, settler: Settler) {
    this.over = new Promise((resolve) => {
      this.#end = resolve
    })
    this.bodyOver = new Promise((resolve) => {
      this.#endBody = resolve
    })
    this.record = record
    this.consumer = consumer
    this.#settler = settler
  }

  get id(): string {
    return this.record.lease
  }

  /** Aborts as soon as another worker may have the message. */
  get lost(): AbortSignal {
    return this.#controller.signal
  }

  /** True once the lease is settled or lost. */
  get isSettled(): boolean {
    return this.#settled !== null
  }

  /** Notes that no other worker gets the message for some milliseconds from this moment on. */
  hold([wallMs, monotonicMs]: Moment, forMs: number): void {
    this.#until = [wallMs + forMs, monotonicMs + forMs]
  }

  /** Returns whether the lease is certain to hold at this time. Later it may have expired without notice. */
  isHeldAt([wallMs, monotonicMs]: Moment): boolean {
    return wallMs < this.#until[0] && monotonicMs < this.#until[1]
  }

  /** Notes that a body handles it from now on. */
  begin(): void {
    this.#isBegun = true
  }

  /** The span of the loop body, while it is open. */
  get span(): OpenSpan | null {
    return this.#span
  }

  /** Ends a span together with the lease. */
  endWith(span: OpenSpan | null): void {
    this.#span = span
    if (span) void this.over.then(() => span.end())
  }

  /** True once a body handles it. */
  get isBegun(): boolean {
    return this.#isBegun
  }

  /** Adds another message that is handled together with this one. */
  alongWith(messageId: string): void {
    if (messageId !== this.record.message.id) this.#along.add(messageId)
  }

  /** Returns whether another message is handled together with this one. */
  isWith(messageId: string): boolean {
    return this.#along.has(messageId)
  }

  /** Acknowledges it. If it is settled more than once, the first outcome stands. */
  ack(): Promise<void> {
    return this.#settle({ kind: 'ack', messageIds: [...this.#along] })
  }

  nack(delayMs?: number): Promise<void> {
    return this.#settle({ kind: 'nack', delayMs })
  }

  release(): Promise<void> {
    return this.#settle({ kind: 'release' })
  }

  /** Gives it back at once: as an attempt if a body had it, else as if it had not been leased. */
  leave(): Promise<void> {
    return this.#settle({ kind: this.#isBegun ? 'leave' : 'release' })
  }

  extend(): Promise<void> {
    return this.#settler.extend(this)
  }

  /** Notes that the lease has ended, as the service reports. */
  lose(reason: unknown): void {
    this.#settled ??= Promise.resolve()
    this.#end(false)
    this.#controller.abort(reason)
  }

  #settle(settlement: Settlement): Promise<void> {
    this.#settled ??= this.#settler.settle(this, settlement)
    this.#end(settlement.kind === 'ack')
    this.#endBody()
    return this.#settled
  }
}

/** A loop body that waits for a message. */
export interface Taker {
  readonly body: Lease
  /** Id of the message that it found; null if the wait ended without one. */
  readonly found: Promise<string | null>
}
