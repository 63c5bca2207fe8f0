import { checkOptions, type OptionNames } from '../protocol/options'
import { isAway } from '../protocol/records/label-names'
import type { TextPiece } from '../protocol/records/message'
import type { Thread as ThreadRecord } from '../protocol/records/thread'
import type { SearchWarning } from '../protocol/routes/params'
import type { RouteInput } from '../protocol/routes/route'
import type { Routes } from '../protocol/routes/routes'
import { type Listing, listing, type Page } from './base/pages'
import { wireTime } from './base/wire-time'
import { checkRead, type ListOptions, type ReadOptions } from './cache/reader'
import type { LiveQuery } from './live/live-query'
import { requireThreadId } from './records/handles'
import { type HandleContext, Message, Thread } from './records/message'
import { ThreadSummary } from './records/thread-summary'
import {
  includeOf,
  type MessageWatchOptions,
  type ThreadWatchOptions,
  type WatchContext,
  watchMessages,
  watchThreads,
} from './records/watch'

/** Selects threads for a list. */
export interface ThreadListOptions extends ListOptions {
  /** Name or id of a label. */
  label?: string | undefined
  /** Words to search for, as in `messages.search()`: the best match comes first. */
  query?: string | undefined
}

/** Selects threads for `threads.list()`; every field narrows further. */
export interface ThreadFilterOptions extends ThreadListOptions {
  /** Keeps only threads that people hold; false keeps the others. */
  held?: boolean | undefined
  /** Id of an operator or name of a consumer; `none` for threads of nobody. */
  assignee?: string | undefined
  status?: 'open' | 'snoozed' | 'closed' | undefined
  /** Keeps only threads whose newest message waits for an agent; false keeps the others. */
  waitingForAgent?: boolean | undefined
  /** Keeps only threads with a suggestion that waits for people; false keeps the others. */
  hasSuggestion?: boolean | undefined
}

/** Selects messages for a list; every field narrows further. */
export interface MessageListOptions extends ThreadListOptions {
  /** Id of a thread, or id or handle of one of its messages. */
  threadId?: string | undefined
  direction?: 'inbound' | 'outbound' | undefined
  /** Created at this time or later: a Date, or a time with its zone. */
  after?: Date | string | undefined
  /** Created before this time. */
  before?: Date | string | undefined
  /**
   * `relevance`, best first, is the default with `query`; `desc`, newest first, the default without. With
   * `query`, `desc` and `asc` require every word.
   */
  order?: 'relevance' | 'asc' | 'desc' | undefined
  /** Sender: an exact address, a domain with its subdomains, or words of the name. */
  from?: string | undefined
  /** Recipient in To, Cc or Bcc, in the form of `from`. */
  to?: string | undefined
  /** Words of the subject, in the form of `query`. */
  subject?: string | undefined
  hasAttachment?: boolean | undefined
  /** Name or id of a label that they do not have. */
  without?: string | undefined
}

/** Narrows a search; every field narrows further. */
export interface MessageSearchOptions extends Omit<MessageListOptions, 'query'> {
  /** Searches by keyword, by meaning, or both (`hybrid`), the default. */
  mode?: 'keyword' | 'semantic' | 'hybrid' | undefined
}

/** A message of a search result, with its matches. */
export interface FoundMessage {
  readonly message: Message
  /** The subject in pieces; those with `hit` match. */
  readonly subject: readonly TextPiece[]
  /** The part of the text with the most matches, in pieces. */
  readonly snippet: readonly TextPiece[]
}

/** A page of search results, best first. */
export interface SearchPage extends Page<FoundMessage> {
  /** Mode of this search: `keyword` if no found message has a vector. */
  readonly modeUsed: string
  /** Parts of the query that were probably misread, each with its position. */
  readonly warnings: readonly SearchWarning[]
}

/** The messages of a mailbox. */
export interface Messages {
  /**
   * Reads a message by its id, from the cache if possible, or by its handle (`m1042-mxk`). A handle from any
   * process is accepted. The service resolves it; a wrong handle is refused, never corrected.
   *
   * @throws ServiceError `not_found`. UsageError `unknown_handle`.
   * @example
   * ```ts
   * const { subject, text } = await mailbox.messages.get('m1042-mxk')
   * ```
   */
  get(id: string, options?: ReadOptions): Promise<Message>
  /**
   * Lists or searches messages, always through the service. `await` returns one page, `for await` all.
   *
   * @throws ServiceError. UsageError `inbox_not_found`, `unknown_handle`.
   * @example
   * ```ts
   * const { items, nextCursor } = await mailbox.messages.list({ query: 'invoice', from: 'shop.example' })
   * for await (const page of mailbox.messages.list({ query: 'invoice' })) console.log(page.items.length)
   * ```
   */
  list(options?: MessageListOptions): Listing<Page<Message>>
  /**
   * Finds the best matching messages, always through the service.
   *
   * No word is required. A message ranks higher with more of the words, with rarer ones, and with words in
   * its subject. `"words in quotes"` must be a phrase, `+word` is required, `-word` excluded, `invoic*` a
   * prefix, and `one OR other` requires one of both. These operators filter: `from:`, `to:`, `subject:`,
   * `label:`, `filename:`, `has:attachment`, `is:unanswered`, `before:2026-01-31`, `newer_than:7d`. An
   * invalid operator counts as words, and causes a warning.
   *
   * @param query At most 2,000 characters.
   * @throws ServiceError `invalid_request` if it is longer. UsageError `inbox_not_found`, `unknown_handle`.
   * @example
   * ```ts
   * const { items } = await mailbox.messages.search('late invoice of the printer from:shop.example')
   * for (const { message, snippet } of items)
   *   console.log(message.subject, snippet.map(({ text, hit }) => (hit ? `*${text}*` : text)).join(''))
   * ```
   */
  search(query: string, options?: MessageSearchOptions): Listing<SearchPage>
  /**
   * Watches the newest messages.
   *
   * @throws UsageError `invalid_options`, `inbox_not_found`, `unknown_handle`
   * @example
   * ```ts
   * for await (const messages of mailbox.messages.watch({ label: 'urgent', limit: 10 }))
   *   console.log(messages.map(({ subject }) => subject))
   * ```
   */
  watch(options?: MessageWatchOptions): LiveQuery<Message>
}

/** The threads of a mailbox. */
export interface Threads {
  /**
   * Reads a thread with all its messages, by its id or by the id or handle of any of them.
   *
   * @throws ServiceError `not_found`. UsageError `unknown_handle`.
   * @example
   * ```ts
   * const thread = await mailbox.threads.get('m1042-mxk')
   * console.log(thread.subject, thread.messages.length)
   * ```
   */
  get(id: string, options?: ReadOptions): Promise<Thread>
  /**
   * Lists threads, most recently active first, always through the service.
   *
   * @throws ServiceError. UsageError `inbox_not_found`.
   * @example
   * ```ts
   * const { items } = await mailbox.threads.list({ label: 'urgent', limit: 10 })
   * ```
   */
  list(options?: ThreadFilterOptions): Listing<Page<ThreadSummary>>
  /**
   * Watches the most recently active threads. Iterate to get the newest result each time, or use `subscribe`
   * and `getSnapshot` for a user interface. A query without watchers costs nothing.
   *
   * @throws UsageError `invalid_options`, `inbox_not_found`
   * @example
   * ```ts
   * const threads = mailbox.threads.watch({ label: 'urgent' })
   * const stop = threads.subscribe(() => console.log(threads.getSnapshot()?.length))
   * ```
   */
  watch(options?: ThreadWatchOptions): LiveQuery<ThreadSummary>
}

const pageNames = { inbox: true, limit: true, cursor: true, spam: true, trash: true, signal: true }
const threadListNames: OptionNames<ThreadListOptions> = { ...pageNames, label: true, query: true }
const threadFilterNames: OptionNames<ThreadFilterOptions> = {
  ...threadListNames,
  ...{ held: true, assignee: true, status: true, waitingForAgent: true, hasSuggestion: true },
}
const messageListNames: OptionNames<MessageListOptions> = {
  ...threadListNames,
  ...{ threadId: true, direction: true, after: true, before: true, order: true },
  ...{ from: true, to: true, subject: true, hasAttachment: true, without: true },
}
const { query: _query, ...messageFilterNames } = messageListNames
const messageSearchNames: OptionNames<MessageSearchOptions> = { ...messageFilterNames, mode: true }

const flagOf = (value: boolean | undefined) => value?.toString() as 'true' | 'false' | undefined

const messageQuery = (
  options: MessageListOptions,
  thread_id: string | undefined,
  { resolve }: WatchContext,
): RouteInput<Routes['messages']['list']> => ({
  inbox_id: resolve(options.inbox),
  thread_id,
  label: options.label,
  include: includeOf(options),
  without: options.without,
  direction: options.direction,
  after: options.after === undefined ? undefined : wireTime('after', options.after),
  before: options.before === undefined ? undefined : wireTime('before', options.before),
  order: options.order,
  q: options.query,
  from: options.from,
  to: options.to,
  subject: options.subject,
  has_attachment: flagOf(options.hasAttachment),
  body: 'false',
  limit: options.limit,
  cursor: options.cursor,
})

/** Makes {@link Messages}. */
export const createMessages = (context: HandleContext, watching: WatchContext): Messages => ({
  get: async (reference, options = {}) => {
    checkRead('messages.get()', options)
    const id = await context.handles.messageId(reference, options)
    return new Message(context, await context.reader.message(id, options))
  },
  list: (wanted = {}) =>
    listing(wanted.cursor, async (cursor) => {
      checkOptions('messages.list()', wanted, messageListNames)
      const { threadId, signal, ...options } = wanted
      const id = threadId && (await context.handles.threadId(threadId, { signal }))
      const asked = messageQuery({ ...options, cursor }, id, watching)
      const page = await context.client.messages.list(asked, { signal })
      const items = page.messages.map((record) => new Message(context, record))
      return { items, nextCursor: page.next_cursor }
    }),
  search: (query, wanted = {}) =>
    listing(wanted.cursor, async (cursor): Promise<SearchPage> => {
      checkOptions('messages.search()', wanted, messageSearchNames)
      const { threadId, signal, mode, ...options } = wanted
      const id = threadId && (await context.handles.threadId(threadId, { signal }))
      const asked = messageQuery({ ...options, query, cursor }, id, watching)
      const page = await context.client.messages.list({ ...asked, mode, highlight: 'true' }, { signal })
      const items = page.messages.map((record): FoundMessage => {
        const { subject = [], snippet = [] } = record.highlights ?? {}
        return { message: new Message(context, record), subject, snippet }
      })
      return { items, nextCursor: page.next_cursor, modeUsed: page.mode_used, warnings: page.warnings ?? [] }
    }),
  watch: ({ threadId, ...options } = {}) =>
    watchMessages(
      watching,
      { ...options, threadId: threadId && requireThreadId(threadId) },
      (record) => new Message(context, record),
    ),
})

/** Makes {@link Threads}. */
export const createThreads = (context: HandleContext, watching: WatchContext): Threads => {
  const toSummary = (record: ThreadRecord) => new ThreadSummary(record)
  return {
    get: async (reference, options = {}) => {
      checkRead('threads.get()', options)
      return context.thread(await context.handles.threadId(reference, options), null, options)
    },
    list: (options = {}) =>
      listing(options.cursor, async (cursor) => {
        checkOptions('threads.list()', options, threadFilterNames)
        const { label, query, limit, signal, assignee, status } = options
        const inbox_id = watching.resolve(options.inbox)
        const page = await context.client.threads.list(
          {
            ...{ inbox_id, label, q: query, include: includeOf(options), limit, cursor, assignee, status },
            held: flagOf(options.held),
            waiting_for_agent: flagOf(options.waitingForAgent),
            has_suggestion: flagOf(options.hasSuggestion),
          },
          { signal },
        )
        return { items: page.threads.map(toSummary), nextCursor: page.next_cursor }
      }),
    watch: (options = {}) => watchThreads(watching, options, toSummary),
  }
}

/** Lets a wait within a body return a message that is handled together with that body's message (S6). */
const waitingWithin = (context: HandleContext, within: { readonly id: string }): HandleContext => ({
  ...context,
  nextReply: (id, { within: wanted = within, ...options } = {}) =>
    context.nextReply(id, { ...options, within: wanted }),
})

/** Makes a {@link HandleContext}. */
export const createHandleContext = ({ reader, ...shared }: Omit<HandleContext, 'thread'>): HandleContext => {
  const context: HandleContext = {
    ...shared,
    reader,
    thread: async (id, turn, options) => {
      const [record, messages] = await Promise.all([
        reader.thread(id, options),
        reader.threadMessages(id, options),
      ])
      const wanted = messages.filter((message) => !isAway(message))
      if (turn) turn.read = Math.max(turn.read, wanted.length)
      return new Thread(
        turn?.body ? waitingWithin(context, turn.body) : context,
        record,
        (wanted.length > 0 ? wanted : messages).map((message) => new Message(context, message, turn)),
      )
    },
  }
  return context
}
