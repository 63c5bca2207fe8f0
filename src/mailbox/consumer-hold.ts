import type { Delivery as DeliveryRecord } from '../protocol'

/** What can be done with a message that was handed out. */
export type Verdict =
  | { readonly kind: 'ack'; readonly messageIds: readonly string[] }
  | { readonly kind: 'nack'; readonly delayMs: number | undefined }
  | { readonly kind: 'release' }

/** Where verdicts go. */
export interface Settler {
  settle(hold: Hold, verdict: Verdict): Promise<void>
  extend(hold: Hold): Promise<void>
}

/** A message of a named consumer that this process has, from its lease until the service was told what became of it. */
export class Hold {
  readonly record: DeliveryRecord
  /** Name of the consumer. */
  readonly consumer: string
  readonly #settler: Settler
  readonly #controller = new AbortController()
  readonly #along = new Set<string>()
  #settled: Promise<void> | null = null
  #isBegun = false

  constructor(record: DeliveryRecord, consumer: string, settler: Settler) {
    this.record = record
    this.consumer = consumer
    this.#settler = settler
  }

  get lease(): string {
    return this.record.lease
  }

  /** Aborts when somebody else may have the message. */
  get lost(): AbortSignal {
    return this.#controller.signal
  }

  /** Whether it is no longer in hand. */
  get isSettled(): boolean {
    return this.#settled !== null
  }

  /** A body handles it from now on. */
  begin(): void {
    this.#isBegun = true
  }

  /** Whether a body handles it. */
  get isBegun(): boolean {
    return this.#isBegun
  }

  /** Another message that is handled with this one. */
  alongWith(messageId: string): void {
    if (messageId !== this.record.message.id) this.#along.add(messageId)
  }

  /** The first verdict stands. */
  ack(): Promise<void> {
    return this.#settle({ kind: 'ack', messageIds: [...this.#along] })
  }

  nack(delayMs?: number): Promise<void> {
    return this.#settle({ kind: 'nack', delayMs })
  }

  release(): Promise<void> {
    return this.#settle({ kind: 'release' })
  }

  extend(): Promise<void> {
    return this.#settler.extend(this)
  }

  /** The service says that the lease has ended. */
  lose(reason: unknown): void {
    this.#settled ??= Promise.resolve()
    this.#controller.abort(reason)
  }

  #settle(verdict: Verdict): Promise<void> {
    this.#settled ??= this.#settler.settle(this, verdict)
    return this.#settled
  }
}
