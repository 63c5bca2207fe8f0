import type { LeasedMessage } from '../../protocol/records'
import type { OpenSpan } from '../../protocol/trace'

/** Outcome of a lease. */
export type Settlement =
  | { readonly kind: 'ack'; readonly messageIds: readonly string[] }
  | { readonly kind: 'nack'; readonly delayMs: number | undefined }
  | { readonly kind: 'release' }
  | { readonly kind: 'leave' }

/** Takes verdicts to the service. */
export interface Settler {
  settle(lease: Lease, settlement: Settlement): Promise<void>
  extend(lease: Lease): Promise<void>
}

/** A message of a named consumer that this process has, from its lease until the service was told what became of it. */
export class Lease {
  readonly record: LeasedMessage
  /** Name of the consumer. */
  readonly consumer: string
  readonly #settler: Settler
  readonly #controller = new AbortController()
  readonly #along = new Set<string>()
  /** Resolves once it is no longer in hand: true where it was acknowledged. */
  readonly over: Promise<boolean>
  #end!: (isDone: boolean) => void
  /** Resolves once this process has given a verdict: no body handles it any more, also where the lease was lost before. */
  readonly bodyOver: Promise<void>
  #endBody!: () => void
  #untilMs = 0
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

  /** True once it is no longer in hand. */
  get isSettled(): boolean {
    return this.#settled !== null
  }

  /** Notes the time, in ms since 1970, until which nobody else gets the message. */
  holdUntil(untilMs: number): void {
    this.#untilMs = untilMs
  }

  /** Tells whether nobody else can have the message at this time: later it may have ended without a word. */
  isHeldAt(nowMs: number): boolean {
    return nowMs < this.#untilMs
  }

  /** Notes that a body handles it from now on. */
  begin(): void {
    this.#isBegun = true
  }

  /** The span of the body of a loop, while it goes on. */
  get span(): OpenSpan | null {
    return this.#span
  }

  /** Lets a span end with the lease. */
  endWith(span: OpenSpan | null): void {
    this.#span = span
    if (span) void this.over.then(() => span.end())
  }

  /** True once a body handles it. */
  get isBegun(): boolean {
    return this.#isBegun
  }

  /** Adds another message that is handled with this one. */
  alongWith(messageId: string): void {
    if (messageId !== this.record.message.id) this.#along.add(messageId)
  }

  /** Tells whether another message is handled with this one. */
  isWith(messageId: string): boolean {
    return this.#along.has(messageId)
  }

  /** Acknowledges it; of several verdicts the first stands. */
  ack(): Promise<void> {
    return this.#settle({ kind: 'ack', messageIds: [...this.#along] })
  }

  nack(delayMs?: number): Promise<void> {
    return this.#settle({ kind: 'nack', delayMs })
  }

  release(): Promise<void> {
    return this.#settle({ kind: 'release' })
  }

  /** Gives it back at once: as an attempt where a body had it, else as if it had not been leased. */
  leave(): Promise<void> {
    return this.#settle({ kind: this.#isBegun ? 'leave' : 'release' })
  }

  extend(): Promise<void> {
    return this.#settler.extend(this)
  }

  /** Notes that the lease has ended, as the service says. */
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

/** A body that waits for a message. */
export interface Taker {
  readonly body: Lease
  /** The id of what it found; null where its wait ended with nothing. */
  readonly found: Promise<string | null>
}
