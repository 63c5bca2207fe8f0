import type { Draft } from '../../protocol/records/draft'
import type { Event } from '../../protocol/records/event'
import type { Label } from '../../protocol/records/label'
import {
  foldLabelName,
  hasAnyLabel,
  type IncludeAway,
  leftOutOf,
  systemLabelOf,
} from '../../protocol/records/label-names'
import type { MessageSummary } from '../../protocol/records/message'
import type { MergedThread, Thread } from '../../protocol/records/thread'
import { type Labelled, moveToThread, renameLabel } from '../cache/label-book'
import type { LiveChange, LiveRecord, LiveRules } from './live-rows'

/** Filter of every list. */
interface ListFilter {
  readonly limit: number
  readonly inboxId: string | undefined
}
interface LabelFilter extends ListFilter {
  /** Name or id of a label. */
  readonly label: string | undefined
  readonly include: IncludeAway | undefined
}

/** Selects the threads of a live query. */
type ThreadFilter = LabelFilter
/** Selects the messages of a live query. */
interface MessageFilter extends LabelFilter {
  /** Replaced when the service returns another id, after a merge of threads. */
  threadId: string | undefined
  readonly direction: string | undefined
}
/** Selects the drafts of a live query. */
interface DraftFilter extends ListFilter {
  readonly status: string | undefined
}

const isNamed = ({ id, name }: { id: string; name: string }, label: string): boolean =>
  id === label || foldLabelName(name) === foldLabelName(label)

const hasLabel = ({ labels, label_ids }: Labelled, label: string): boolean =>
  label_ids.some((id, at) => isNamed({ id, name: labels[at] ?? '' }, label))

const isLeftOut = (filter: LabelFilter, record: Labelled): boolean => hasAnyLabel(record, leftOutOf(filter))

/** Returns whether only messages decide which threads a list has: threads do not repeat this label. */
const isOfMessages = ({ label }: LabelFilter): boolean =>
  label !== undefined && systemLabelOf(label) === 'unread'

/** Returns the changes that a renamed or deleted label makes to any list. */
const labelChanges = <R extends LiveRecord & Labelled>(
  { label }: LabelFilter,
  { type, data }: Event,
): LiveChange<R>[] => {
  const { id, name } = data as unknown as Label
  if (type === 'label.deleted')
    return [{ type: 'edit', edit: (record) => renameLabel(record, id, undefined) }]
  if (type !== 'label.updated') return []
  // Records with the label are listed under this name from now on.
  if (label !== undefined && isNamed({ id, name }, label)) return [{ type: 'reread' }]
  return [{ type: 'edit', edit: (record) => renameLabel(record, id, name) }]
}

const inboxChanges = <R extends LiveRecord>({ type, data }: Event): LiveChange<R>[] =>
  type === 'inbox.deleted' ? [{ type: 'remove', which: (record) => record.inbox_id === data.id }] : []

const removal = <R extends LiveRecord>(id: unknown): LiveChange<R> => ({
  type: 'remove',
  which: (record) => record.id === id,
})

const inInbox = ({ inboxId }: ListFilter, record: LiveRecord): boolean =>
  inboxId === undefined || record.inbox_id === inboxId

/** Rules for threads, most recently active first, as GET /threads lists them. */
export const liveThreads = (filter: ThreadFilter): LiveRules<Thread> => ({
  limit: filter.limit,
  order: 'changed',
  matches: (thread) => {
    if (!inInbox(filter, thread)) return false
    if (isOfMessages(filter)) return null
    if (filter.label !== undefined && !hasLabel(thread, filter.label)) return false
    // A thread is omitted if all its messages are in spam or trash, which its own labels do not show.
    return isLeftOut(filter, thread) ? null : true
  },
  changes: (event, held) => {
    const { type, data } = event
    const put: LiveChange<Thread> = {
      type: 'put',
      record: data as unknown as Thread,
      made: false,
      moved: true,
    }
    if (type === 'thread.merged') return [removal((data as unknown as MergedThread).merged_id), put]
    if (type === 'thread.deleted') return [removal(data.id)]
    // Updated, held, released or unattended.
    if (type.startsWith('thread.')) return [put]
    const thread = held(String(data.thread_id))
    const isRelabelled = type === 'label.assigned' || type === 'label.unassigned'
    if (isRelabelled && isOfMessages(filter)) return [{ type: 'reread' }]
    const mayShow = type === 'label.unassigned' && (!thread || isLeftOut(filter, thread))
    const mayHide = type === 'label.assigned' && thread && isLeftOut(filter, thread)
    if (leftOutOf(filter).length > 0 && (mayShow || mayHide)) return [{ type: 'reread' }]
    return [...labelChanges<Thread>(filter, event), ...inboxChanges<Thread>(event)]
  },
})

/** Rules for messages, newest first, as GET /messages lists them. */
export const liveMessages = (filter: MessageFilter): LiveRules<MessageSummary> => ({
  limit: filter.limit,
  order: 'made',
  matches: (message) =>
    inInbox(filter, message) &&
    (filter.threadId === undefined || message.thread_id === filter.threadId) &&
    (filter.direction === undefined || message.direction === filter.direction) &&
    (filter.label === undefined || hasLabel(message, filter.label)) &&
    !isLeftOut(filter, message),
  changes: (event) => {
    const { type, data, created_at } = event
    const record = data as unknown as MessageSummary
    const made =
      (type === 'message.received' || type === 'message.queued') && record.created_at === created_at
    if (type === 'label.assigned' || type === 'label.unassigned')
      return [{ type: 'put', record, made: false, moved: true }]
    if (type === 'message.deleted') return [removal(data.id)]
    if (type.startsWith('message.') && 'from_addr' in record)
      return [{ type: 'put', record, made, moved: false }]
    if (type === 'thread.deleted')
      return [{ type: 'remove', which: (message) => message.thread_id === data.id }]
    if (type === 'thread.merged') {
      const merged = data as unknown as MergedThread
      if (filter.threadId === merged.id || filter.threadId === merged.merged_id) return [{ type: 'reread' }]
      return [{ type: 'edit', edit: (message) => moveToThread(message, merged) }]
    }
    return [...labelChanges<MessageSummary>(filter, event), ...inboxChanges<MessageSummary>(event)]
  },
})

/** Rules for drafts, newest first, as GET /drafts lists them. */
export const liveDrafts = (filter: DraftFilter): LiveRules<Draft> => ({
  limit: filter.limit,
  order: 'made',
  matches: (draft) =>
    inInbox(filter, draft) && (filter.status === undefined || draft.status === filter.status),
  changes: (event) => {
    const { type, data } = event
    const record = data as unknown as Draft
    if (type === 'draft.deleted') return [removal(data.id)]
    if (type === 'draft.created') return [{ type: 'put', record, made: true, moved: false }]
    if (type === 'draft.updated' || type === 'draft.sent')
      return [{ type: 'put', record, made: false, moved: filter.status !== undefined }]
    if (type === 'thread.merged')
      return [{ type: 'edit', edit: (draft) => moveToThread(draft, data as unknown as MergedThread) }]
    return inboxChanges<Draft>(event)
  },
})
