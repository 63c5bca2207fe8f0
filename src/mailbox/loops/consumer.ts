import type { Client } from '../../client/client'
import { checkOptions, type OptionNames } from '../../protocol/options'
import type { ConsumerState } from '../../protocol/records/consumer'
import type { MessageSummary } from '../../protocol/records/message'
import { deleted } from '../base/failures'
import { type Listing, listing, type Page } from '../base/pages'
import { checkRead, type ReadOptions } from '../cache/reader'
import type { Message } from '../records/message'

/** A message that was delivered ten times and never acknowledged. */
export interface DeadLetter {
  readonly message: Message
  readonly attempts: number
  /** Time at which the service gave up. */
  readonly deadAt: Date
}

/** Selects a page of dead letters or skipped messages. */
export interface DeadLetterListOptions extends ReadOptions {
  /** 1 to 100; default 25. */
  limit?: number | undefined
  /** `nextCursor` of the page before. */
  cursor?: string | undefined
}

const listNames: OptionNames<DeadLetterListOptions> = { limit: true, cursor: true, signal: true }

/** The parts of its mailbox that a {@link Consumer} uses. */
interface ConsumerParts {
  readonly client: Client
  toMessage(record: MessageSummary): Message
}

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
  constructor(name: string, parts: ConsumerParts) {
    this.name = name
    this.#parts = parts
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
    const { client, toMessage } = this.#parts
    return listing(options.cursor, async (cursor) => {
      checkOptions('deadLetters()', options, listNames)
      const { limit, signal } = options
      const page = await client.consumers.deadLetters({ name: this.name, limit, cursor }, { signal })
      const items = page.dead_letters.map(({ message, attempts, dead_at }) => ({
        message: toMessage(message),
        attempts,
        deadAt: new Date(dead_at),
      }))
      return { items, nextCursor: page.next_cursor }
    })
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
    const { client, toMessage } = this.#parts
    return listing(options.cursor, async (cursor) => {
      checkOptions('skipped()', options, listNames)
      const { limit, signal } = options
      const page = await client.consumers.skipped({ name: this.name, limit, cursor }, { signal })
      return { items: page.messages.map(toMessage), nextCursor: page.next_cursor }
    })
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
    checkOptions<typeof options>('redrive()', options, { includeAnswered: 'boolean', signal: true })
    const { includeAnswered, signal } = options
    const { client } = this.#parts
    if (messages?.length === 0) return 0
    const message_ids = messages?.map(({ id }) => id)
    const input = { name: this.name, message_ids, include_answered: includeAnswered }
    return (await client.consumers.redrive(input, { signal })).redriven
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
