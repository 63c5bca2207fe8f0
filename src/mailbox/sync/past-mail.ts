import type { CallOptions, Client } from '../../client'
import { isServiceError, type RestanteError } from '../../protocol/errors'
import type { EventPage, MessageSummary } from '../../protocol/records'
import { findMisfit } from './read-frame'
import { pageLimit } from './source'

/** The most messages that a page of a list holds. */
const maxListed = 100

/** A range of the log, whose incoming messages are read. */
interface PastRange {
  /** The position in the log after which they came in. */
  readonly after: number
  /** The position that is to be reached. */
  readonly to: number
}

/** Some of them, the oldest first. */
interface PastPage {
  readonly messages: readonly MessageSummary[]
  /** Up to this position nothing is left to read. */
  readonly reached: number
}

/** The options of {@link PastMail}. */
interface PastMailOptions {
  readonly client: Client
  readonly inboxId: string | undefined
  readonly call: CallOptions
  /** The most messages that a page holds. */
  readonly limit?: number
  /** The log no longer reaches back: the messages are read themselves. */
  onCut?(error: RestanteError): void
}

const messagesOf = ({ events }: EventPage): MessageSummary[] =>
  events.flatMap((event) => (findMisfit(event) === null ? [event.data as unknown as MessageSummary] : []))

/**
 * Reads mail that came in, page by page: from the event log, and from the messages themselves where the log no longer
 * reaches back. What is there is not lost because the log has forgotten how it came.
 */
export class PastMail {
  readonly #options: PastMailOptions
  /** The place that the reading of messages has reached; null while the log is read. */
  #list: { readonly to: number; readonly cursor: string | undefined } | null = null

  constructor(options: PastMailOptions) {
    this.#options = options
  }

  /** The next page. After a failure it may be asked for again, with the same range. */
  async next(range: PastRange, signal: AbortSignal): Promise<PastPage> {
    if (this.#list) return this.#listed(range.after, this.#list, signal)
    try {
      return await this.#logged(range.after, signal)
    } catch (error) {
      if (!isServiceError(error, 'cursor_expired')) throw error
      this.#options.onCut?.(error)
      this.#list = { to: range.to, cursor: undefined }
      return this.next(range, signal)
    }
  }

  async #logged(after: number, signal: AbortSignal): Promise<PastPage> {
    const { client, inboxId: inbox_id, call, limit = pageLimit } = this.#options
    const query = { after, inbox_id, types: 'message.received', limit }
    const page = await client.events.list(query, { ...call, signal })
    return { messages: messagesOf(page), reached: page.to }
  }

  async #listed(
    after: number,
    { to, cursor }: { readonly to: number; readonly cursor: string | undefined },
    signal: AbortSignal,
  ): Promise<PastPage> {
    const { client, inboxId: inbox_id, call, limit = pageLimit } = this.#options
    const query = {
      ...({ inbox_id, direction: 'inbound', include: 'spam', order: 'asc', body: 'false' } as const),
      ...{ after_seq: after, to_seq: to, cursor, limit: Math.min(limit, maxListed) },
    }
    const { messages, next_cursor } = await client.messages.list(query, { ...call, signal })
    this.#list = next_cursor === null ? null : { to, cursor: next_cursor }
    return { messages, reached: next_cursor === null ? to : after }
  }
}
