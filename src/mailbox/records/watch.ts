import type { Client } from '../../client/client'
import { UsageError } from '../../protocol/errors/error'
import { checkOptions, type OptionNames } from '../../protocol/options'
import type { Draft, DraftStatus } from '../../protocol/records/draft'
import type { IncludeAway } from '../../protocol/records/label-names'
import type { MessageSummary } from '../../protocol/records/message'
import type { Thread as ThreadRecord } from '../../protocol/records/thread'
import type { ResolveInbox } from '../cache/inbox-book'
import type { LiveHub } from '../live/live-hub'
import { liveDrafts, liveMessages, liveThreads } from '../live/live-lists'
import type { LiveQuery } from '../live/live-query'
import type { ThreadSummary } from './thread-summary'

/** Selects the rows of a live query. */
export interface WatchOptions {
  /** Id or address. Default: the inbox that the mailbox was opened for, or all. */
  inbox?: string | undefined
  /** Most rows in a result, 1 to 100; default 25. */
  limit?: number | undefined
  /** Ends the iterator at once: it throws the signal's reason. */
  signal?: AbortSignal | undefined
}

/** Selects the threads of a live query. */
export interface ThreadWatchOptions extends WatchOptions {
  /** Name or id of a label. */
  label?: string | undefined
  /** Includes threads whose messages are all marked as spam. Default false. */
  spam?: boolean | undefined
  /** Includes threads whose messages are all in the trash. Default false. */
  trash?: boolean | undefined
}

/** Selects the messages of a live query. */
export interface MessageWatchOptions extends WatchOptions {
  /** Name or id of a label. */
  label?: string | undefined
  /** Id of a thread. */
  threadId?: string | undefined
  direction?: 'inbound' | 'outbound' | undefined
  /** Includes messages marked as spam. Default false. */
  spam?: boolean | undefined
  /** Includes messages in the trash. Default false. */
  trash?: boolean | undefined
}

/** Selects the drafts of a live query. */
export interface DraftWatchOptions extends WatchOptions {
  status?: DraftStatus | undefined
}

/** The parts of the mailbox that live queries use. */
export interface WatchContext {
  readonly client: Client
  readonly hub: LiveHub
  readonly resolve: ResolveInbox
}

const names: OptionNames<WatchOptions> = { inbox: true, limit: true, signal: true }
const threadNames: OptionNames<ThreadWatchOptions> = { ...names, label: true, spam: true, trash: true }
const messageNames: OptionNames<MessageWatchOptions> = { ...threadNames, threadId: true, direction: true }
const draftNames: OptionNames<DraftWatchOptions> = { ...names, status: true }

const defaultLimit = 25
const maxLimit = 100

const rowsOf = (limit = defaultLimit): number => {
  if (Number.isInteger(limit) && limit >= 1 && limit <= maxLimit) return limit
  throw new UsageError('invalid_options', `watch() holds 1 to ${maxLimit} rows: limit is ${limit}`)
}

/** Returns the value of `include` that requests spam, the trash or both. */
export const includeOf = ({
  spam = false,
  trash = false,
}: Pick<MessageWatchOptions, 'spam' | 'trash'>): IncludeAway | undefined =>
  spam && trash ? 'all' : spam ? 'spam' : trash ? 'trash' : undefined

/** Makes a live query of threads. @throws UsageError `invalid_options`, `inbox_not_found` */
export const watchThreads = (
  { client, hub, resolve }: WatchContext,
  options: ThreadWatchOptions,
  toItem: (record: ThreadRecord) => ThreadSummary,
): LiveQuery<ThreadSummary> => {
  checkOptions('threads.watch()', options, threadNames)
  const { label, inbox, limit, signal } = options
  const include = includeOf(options)
  const rules = liveThreads({ label, include, inboxId: resolve(inbox), limit: rowsOf(limit) })
  const query = { inbox_id: resolve(inbox), label, include, limit: rules.limit }
  return hub.open({
    rules,
    signal,
    read: async (ends) => {
      const page = await client.threads.list(query, { signal: ends, retry: false })
      return { records: page.threads, more: page.next_cursor !== null }
    },
    toItem,
  })
}

/** Makes a live query of messages. @throws UsageError `invalid_options`, `inbox_not_found` */
export const watchMessages = <Item>(
  { client, hub, resolve }: WatchContext,
  options: Omit<MessageWatchOptions, 'threadId'> & { threadId: string | undefined },
  toItem: (record: MessageSummary) => Item,
): LiveQuery<Item> => {
  checkOptions('messages.watch()', options, messageNames)
  const { label, threadId, direction, inbox, limit, signal } = options
  const inboxId = resolve(inbox)
  const include = includeOf(options)
  const filter = { label, threadId, direction, include, inboxId, limit: rowsOf(limit) }
  const rules = liveMessages(filter)
  const where = { inbox_id: inboxId, thread_id: threadId, label, direction, include }
  return hub.open({
    rules,
    signal,
    read: async (ends) => {
      const page = await client.messages.list(
        { ...where, body: 'false', limit: rules.limit },
        { signal: ends, retry: false },
      )
      if (threadId !== undefined) filter.threadId = page.messages[0]?.thread_id ?? threadId
      return { records: page.messages, more: page.next_cursor !== null }
    },
    toItem,
  })
}

/** Makes a live query of drafts. @throws UsageError `invalid_options`, `inbox_not_found` */
export const watchDrafts = <Item>(
  { client, hub, resolve }: WatchContext,
  options: DraftWatchOptions = {},
  toItem: (record: Draft) => Item,
): LiveQuery<Item> => {
  checkOptions('drafts.watch()', options, draftNames)
  const { status, inbox, limit, signal } = options
  const inboxId = resolve(inbox)
  const rules = liveDrafts({ status, inboxId, limit: rowsOf(limit) })
  const query = { inbox_id: inboxId, status, limit: rules.limit }
  return hub.open({
    rules,
    signal,
    read: async (ends) => {
      const page = await client.drafts.list(query, { signal: ends, retry: false })
      return { records: page.drafts, more: page.next_cursor !== null }
    },
    toItem,
  })
}
