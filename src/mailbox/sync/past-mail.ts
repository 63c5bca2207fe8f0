import type { CallOptions, Client } from '../../client/client'
import { isServiceError, NetworkError, type RestanteError } from '../../protocol/errors/error'
import type { EventPage } from '../../protocol/records/event'
import type { MessageSummary } from '../../protocol/records/message'
import { findMisfit } from './read-frame'
import { pageLimit } from './source'

/** Most messages on a page of a list. */
const maxListed = 100

/** Range of the log whose incoming messages are read. */
interface PastRange {
  /** Position before the first message. */
  readonly after: number
  /** Position to reach. */
  readonly to: number
}

/** A page of past messages, oldest first. */
interface PastPage {
  readonly messages: readonly MessageSummary[]
  /** Nothing is left to read up to this position. */
  readonly reached: number
}

/** Options of {@link PastMail}. */
interface PastMailOptions {
  readonly client: Client
  readonly inboxId: string | undefined
  readonly call: CallOptions
  /** Most messages on a page. */
  readonly limit?: number
  /** Returns whether a page is of the epoch that its range means. Default: any is. */
  isCurrent?(page: EventPage): boolean
  /** Called if the log no longer reaches back, so that the list of messages is read instead. */
  onCut?(error: RestanteError): void
}

const messagesOf = ({ events }: EventPage): MessageSummary[] =>
  events.flatMap((event) => (findMisfit(event) === null ? [event.data as unknown as MessageSummary] : []))

/**
 * Reads messages that arrived earlier, page by page. It reads the event log, or the list of messages if the
 * log no longer reaches back. So a cut log loses no message that still exists.
 */
export class PastMail {
  readonly #options: PastMailOptions
  /** Position in the list of messages; null while the log is read. */
  #list: (PastRange & { readonly cursor: string | undefined }) | null = null

  constructor(options: PastMailOptions) {
    this.#options = options
  }

  /** Returns the next page. After a failure, call it again with the same range. */
  async next(range: PastRange, signal: AbortSignal): Promise<PastPage> {
    if (this.#list) return this.#listed(this.#list, signal)
    try {
      return await this.#logged(range.after, signal)
    } catch (error) {
      if (!isServiceError(error, 'cursor_expired')) throw error
      this.#options.onCut?.(error)
      this.#list = { ...range, cursor: undefined }
      return this.next(range, signal)
    }
  }

  async #logged(after: number, signal: AbortSignal): Promise<PastPage> {
    const { client, inboxId: inbox_id, call, limit = pageLimit, isCurrent } = this.#options
    const query = { after, inbox_id, types: 'message.received', limit }
    const page = await client.events.list(query, { ...call, signal })
    if (isCurrent?.(page) === false) throw new NetworkError('log_incomplete', 'the log was restored')
    return { messages: messagesOf(page), reached: page.to }
  }

  async #listed(
    { after, to, cursor }: PastRange & { readonly cursor: string | undefined },
    signal: AbortSignal,
  ): Promise<PastPage> {
    const { client, inboxId: inbox_id, call, limit = pageLimit } = this.#options
    const query = {
      ...({ inbox_id, direction: 'inbound', include: 'spam', order: 'asc', body: 'false' } as const),
      ...{ after_seq: after, to_seq: to, cursor, limit: Math.min(limit, maxListed) },
    }
    const { messages, next_cursor } = await client.messages.list(query, { ...call, signal })
    this.#list = next_cursor === null ? null : { after, to, cursor: next_cursor }
    return { messages, reached: next_cursor === null ? to : (messages.at(-1)?.created_seq ?? after) }
  }
}
