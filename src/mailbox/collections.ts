import { isSpam, type RouteInput, type Routes } from '../protocol'
import { type HandleContext, Message, Thread } from './message'
import type { ReadOptions } from './reader'
import { ThreadSummary } from './thread-summary'

/** A stretch of a list. */
export interface Page<T> {
  readonly items: readonly T[]
  /** For the next request; null at the end. */
  readonly nextCursor: string | null
}

/** How every list is asked for. */
export interface ListOptions extends ReadOptions {
  /** Id or address. Default: the inbox that the mailbox was opened for, or all. */
  inbox?: string
  /** 1 to 100; default 25. */
  limit?: number
  /** `nextCursor` of the page before. */
  cursor?: string
  /** With mail that is marked as spam, which is left out otherwise. */
  spam?: boolean
}

/** Which messages to list. */
export interface MessageListOptions extends ListOptions {
  threadId?: string
  direction?: 'inbound' | 'outbound'
  /** Made at this time or later. */
  after?: Date
  /** Made before this time. */
  before?: Date
  /** `desc` (the default) is newest first. */
  order?: 'asc' | 'desc'
}

/** The messages of a mailbox. */
export interface Messages {
  /** Reads a message; from the cache, where it is held. @throws ServiceError `not_found` */
  get(id: string, options?: ReadOptions): Promise<Message>
  /** Lists messages, always from the service. */
  list(options?: MessageListOptions): Promise<Page<Message>>
}

/** The threads of a mailbox. */
export interface Threads {
  /** Reads a thread with all its messages. @throws ServiceError `not_found` */
  get(id: string, options?: ReadOptions): Promise<Thread>
  /** Lists threads, the last active first, always from the service. */
  list(options?: ListOptions): Promise<Page<ThreadSummary>>
}

/** Resolves an inbox that a caller named to its id. */
export type ResolveInbox = (wanted: string | undefined) => string | undefined

const messageQuery = (
  options: MessageListOptions,
  resolve: ResolveInbox,
): RouteInput<Routes['messages']['list']> => ({
  inbox_id: resolve(options.inbox),
  thread_id: options.threadId,
  include: options.spam ? 'spam' : undefined,
  direction: options.direction,
  after: options.after?.toISOString(),
  before: options.before?.toISOString(),
  order: options.order,
  limit: options.limit,
  cursor: options.cursor,
})

/** Makes {@link Messages}. */
export const createMessages = (context: HandleContext, resolve: ResolveInbox): Messages => ({
  get: async (id, options) => new Message(context, await context.reader.message(id, options)),
  list: async (options = {}) => {
    const page = await context.client.messages.list(messageQuery(options, resolve), {
      signal: options.signal,
    })
    const items = page.messages.map((record) => new Message(context, record))
    return { items, nextCursor: page.next_cursor }
  },
})

/** Makes {@link Threads}. */
export const createThreads = (context: HandleContext, resolve: ResolveInbox): Threads => ({
  get: (id, options) => context.thread(id, null, options),
  list: async (options = {}) => {
    const { limit, cursor, spam, signal } = options
    const page = await context.client.threads.list(
      { inbox_id: resolve(options.inbox), include: spam ? 'spam' : undefined, limit, cursor },
      { signal },
    )
    return { items: page.threads.map((record) => new ThreadSummary(record)), nextCursor: page.next_cursor }
  },
})

/** Makes what handles share. */
export const createHandleContext = ({
  client,
  reader,
}: Pick<HandleContext, 'client' | 'reader'>): HandleContext => {
  const context: HandleContext = {
    client,
    reader,
    thread: async (id, delivery, options) => {
      const [record, messages] = await Promise.all([
        reader.thread(id, options),
        reader.threadMessages(id, options),
      ])
      const wanted = messages.filter((message) => !isSpam(message))
      return new Thread(
        record,
        (wanted.length > 0 ? wanted : messages).map((message) => new Message(context, message, delivery)),
      )
    },
  }
  return context
}
