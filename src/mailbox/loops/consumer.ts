import type { ConsumerState } from '../../protocol/records/consumer'
import { deleted } from '../base/failures'
import { loadLater } from '../base/load-later'
import { type Listing, listing, type Page } from '../base/pages'
import { checkRead, type ReadOptions } from '../cache/reader'
import type { Message } from '../records/message'
import type { ConsumerParts, DeadLetter, DeadLetterListOptions } from './consumer-letters'

const loadLetters = /* @__PURE__ */ loadLater(() => import('./consumer-letters'))

/**
 * A named consumer at the service: its waiting messages and its dead letters.
 *
 * @example
 * ```ts
 * const bot = mailbox.consumer('support-bot')
 * for (const { message, attempts } of (await bot.deadLetters()).items) console.log(message.subject, attempts)
 * await bot.redrive() // after the fix
 * ```
 */
export class Consumer {
  readonly name: string
  readonly #parts: ConsumerParts

  /** @internal */
  constructor(name: string, parts: Omit<ConsumerParts, 'name'>) {
    this.name = name
    this.#parts = { name, ...parts }
  }

  /**
   * Counts its messages: waiting, leased, dead and skipped.
   *
   * @throws ServiceError `not_found` before a loop or a run of it has started
   * @example
   * ```ts
   * const { waiting, leased, dead } = await mailbox.consumer('support-bot').state()
   * ```
   */
  async state(options: ReadOptions = {}): Promise<ConsumerState> {
    checkRead('state()', options)
    return this.#parts.client.consumers.get({ name: this.name }, options)
  }

  /**
   * Lists its dead letters, in the order of the messages.
   *
   * @throws as {@link state}
   * @example
   * ```ts
   * const { items } = await mailbox.consumer('support-bot').deadLetters({ limit: 100 })
   * for (const { message, deadAt } of items) console.log(deadAt, message.subject)
   * ```
   */
  deadLetters(options: DeadLetterListOptions = {}): Listing<Page<DeadLetter>> {
    return listing(options.cursor, async (cursor) =>
      (await loadLetters()).readDeadLetters(this.#parts, options, cursor),
    )
  }

  /**
   * Lists the messages that it skipped because they are unanswerable, in the order of the messages.
   *
   * @throws as {@link state}
   * @example
   * ```ts
   * const bot = mailbox.consumer('support-bot')
   * for (const message of (await bot.skipped()).items) console.log(message.unanswerable, message.subject)
   * ```
   */
  skipped(options: DeadLetterListOptions = {}): Listing<Page<Message>> {
    return listing(options.cursor, async (cursor) =>
      (await loadLetters()).readSkipped(this.#parts, options, cursor),
    )
  }

  /**
   * Delivers dead letters again, with ten new attempts: the given ones, or all. They come late, marked as
   * `redriven`. Skipped messages are included only if given, and can then be answered. A message after which
   * something was sent in its thread is omitted, unless `includeAnswered` is true.
   *
   * @returns the number of messages
   * @throws as {@link state}
   * @example
   * ```ts
   * const bot = mailbox.consumer('support-bot')
   * const { items } = await bot.deadLetters()
   * await bot.redrive(items.map(({ message }) => message))
   * ```
   */
  async redrive(
    messages?: readonly { readonly id: string }[],
    options: ReadOptions & { includeAnswered?: boolean | undefined } = {},
  ): Promise<number> {
    return (await loadLetters()).redrive(this.#parts, messages, options)
  }

  /**
   * Pauses it: nobody gets new messages of it, on every node, until it is resumed. Handlers that have a message
   * finish it. The key needs the scope `manage`.
   *
   * @throws as {@link state}, and ServiceError `insufficient_scope`
   * @example
   * ```ts
   * const bot = mailbox.consumer('support-bot')
   * await bot.pause()
   * console.log((await bot.state()).paused?.since)
   * ```
   */
  async pause(options: ReadOptions = {}): Promise<void> {
    return (await loadLetters()).setPaused(this.#parts, 'pause', options)
  }

  /**
   * Resumes it: its messages are delivered again, in order. The key needs the scope `manage`.
   *
   * @throws as {@link pause}
   * @example
   * ```ts
   * await mailbox.consumer('support-bot').resume()
   * ```
   */
  async resume(options: ReadOptions = {}): Promise<void> {
    return (await loadLetters()).setPaused(this.#parts, 'resume', options)
  }

  /**
   * Deletes the consumer and its state at the service; does nothing if it is already deleted.
   *
   * @example
   * ```ts
   * await mailbox.consumer('of-last-year').delete()
   * ```
   */
  async delete(options: ReadOptions = {}): Promise<void> {
    checkRead('delete()', options)
    return deleted(this.#parts.client.consumers.delete({ name: this.name }, options))
  }
}
