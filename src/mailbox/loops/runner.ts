import { onAbort } from '../../client/abort'
import { HandlerError, isServiceError, UsageError } from '../../protocol/errors/error'
import { checkOptions, type OptionNames } from '../../protocol/options'
import { traced } from '../../protocol/trace'
import type { Message } from '../records/message'
import { isHandledOtherwise } from '../records/turn'
import type { ConsumerSource, Taken } from './consumer-source'
import { type ConsumerStart, checkStart } from './incoming'

/** Second argument of a handler. */
export interface HandlerContext {
  /** Aborts when another worker may have the message, or the mailbox closes: work would be done twice. */
  readonly signal: AbortSignal
  /** True if people held the thread after the message arrived, and released it without an answer. */
  readonly handedBack: boolean
}

/** Handles one message, which is acknowledged when the handler is done. */
export type MessageHandler = (message: Message, context: HandlerContext) => unknown

/** Options of `mailbox.run()`. */
export interface RunOptions {
  /** Name of the consumer, which the service remembers. */
  consumer: string
  /** Most messages that are handled at once, 1 to 100; always one at a time for each thread. Default 10. */
  concurrency?: number | undefined
  /**
   * Called with an error of the handler; the message is still delivered again, later each time. An error of
   * this function ends the run. Default: emits `error`; without a listener the error is printed.
   */
  onError?: ((error: unknown, message: Message) => unknown) | undefined
  /**
   * After the tenth failed attempt, `dead_letter` keeps the message as a dead letter; `hand_over` gives it to
   * people, who then hold its thread. Default `dead_letter`.
   */
  onGiveUp?: 'dead_letter' | 'hand_over' | undefined
  /** Ends the run, as `stop()` does. */
  signal?: AbortSignal | undefined
  /** Id or address of an inbox: only its messages. */
  inbox?: string | undefined
  /** Includes messages marked as spam. */
  spam?: boolean | undefined
  /** Includes messages that `reply()` refuses: `message.unanswerable`. */
  unanswerable?: boolean | undefined
  /** Starting point of a new consumer. Default `unanswered`. */
  from?: ConsumerStart | undefined
}

/** A run, which continues until it is stopped. */
export interface Run extends AsyncDisposable {
  /** Number of messages that are being handled. */
  readonly active: number
  /**
   * Accepts no more messages, and resolves once the current ones are handled. Safe to call again.
   *
   * @throws the error that ended the run earlier, if it was not stopped
   * @example
   * ```ts
   * const run = mailbox.run((message) => message.reply({ text: 'Got it.' }), { consumer: 'support-bot' })
   * process.once('SIGTERM', () => run.stop())
   * ```
   */
  stop(): Promise<void>
  /** Resolves once the run has ended; rejects with the error that ended it, if it was not stopped. */
  readonly done: Promise<void>
}

/** Options of a {@link Runner}. */
interface RunnerOptions {
  source: ConsumerSource
  handler: MessageHandler
  concurrency: number
  onError: RunOptions['onError']
  signal: AbortSignal | undefined
  report(error: unknown): void
  /** Calls back when the mailbox closes. */
  onClose(callback: () => void): () => void
}

const names: OptionNames<RunOptions> = {
  ...{ consumer: true, concurrency: true, onError: true, signal: true, inbox: true, spam: true },
  ...{ unanswerable: true, from: true, onGiveUp: true },
}

/** @throws UsageError `invalid_options` */
export function checkRun(options: RunOptions): void {
  checkOptions('run()', options, names)
  if (typeof options.consumer !== 'string')
    throw new UsageError(
      'invalid_options',
      "run() needs the name of a consumer: run(handler, { consumer: 'support-bot' })",
    )
  checkStart(options.from)
  const { concurrency = 1 } = options
  if (Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= 100) return
  throw new UsageError('invalid_options', `concurrency is 1 to 100, not ${concurrency}`)
}

/** {@link Run}: leases as many messages as it can start, and starts their handlers. */
export class Runner implements Run {
  readonly #options: RunnerOptions
  readonly #stopping = new AbortController()
  readonly #closing = new AbortController()
  readonly #working = new Set<Promise<void>>()
  readonly done: Promise<void>
  #failure: { readonly error: unknown } | null = null
  #onEnd = () => {}

  constructor(options: RunnerOptions) {
    this.#options = options
    const forget = [
      onAbort(options.signal, () => this.#stopping.abort()),
      options.onClose(() => {
        this.#stopping.abort()
        this.#closing.abort(new UsageError('mailbox_closed', 'the mailbox was closed: open another one'))
      }),
    ]
    this.done = this.#run().finally(() => {
      for (const one of forget) one()
    })
    // A failure is reported already, even if nobody awaits this promise.
    this.done.catch(() => {})
  }

  get active(): number {
    return this.#working.size
  }

  stop(): Promise<void> {
    this.#stopping.abort()
    return this.done
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  async #run(): Promise<void> {
    const { source, concurrency } = this.#options
    const { signal } = this.#stopping
    try {
      while (!signal.aborted) {
        const free = concurrency - this.#working.size
        if (free === 0) await this.#untilOneEnds()
        else for (const taken of await source.take(free, signal)) this.#begin(taken)
      }
    } catch (error) {
      this.#options.report(error)
      this.#fail(error)
    }
    while (this.#working.size > 0) await Promise.all(this.#working)
    if (this.#failure) throw this.#failure.error
  }

  /** Waits for one handler. `Promise.race` would add a reaction to each handler while it is pending. */
  #untilOneEnds(): Promise<void> {
    return new Promise((resolve) => {
      this.#onEnd = resolve
    })
  }

  #begin(taken: Taken): void {
    const work = this.#handle(taken).finally(() => {
      this.#working.delete(work)
      this.#onEnd()
    })
    this.#working.add(work)
  }

  async #handle({ lease, message }: Taken): Promise<void> {
    lease.begin()
    try {
      const signal = AbortSignal.any([lease.lost, this.#closing.signal])
      const attributes = { 'restante.message_id': message.id }
      const { traceparent: about } = lease.record.message
      await traced('handle mail', { kind: 'consumer', attributes, about }, async () =>
        this.#options.handler(message, { signal, handedBack: message.handedBack }),
      )
      await lease.ack().catch(() => {})
    } catch (error) {
      if (isHandledOtherwise(error)) return void (await lease.ack().catch(() => {}))
      if (isServiceError(error, 'thread_held')) return void (await lease.release().catch(() => {}))
      await this.#afterFailure(error, message)
      await lease.nack().catch(() => {})
    }
  }

  async #afterFailure(error: unknown, message: Message): Promise<void> {
    const { onError, report } = this.#options
    if (this.#closing.signal.aborted) return
    const text = `the handler of run() threw for ${message.id}, which is delivered again later: see cause`
    if (!onError) return report(new HandlerError('handler_failed', text, { cause: error }))
    try {
      await onError(error, message)
    } catch (cause) {
      report(
        new HandlerError('handler_failed', 'onError of run() threw, which ends the run: see cause', {
          cause,
        }),
      )
      this.#fail(cause)
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= { error }
    this.#stopping.abort()
  }
}
