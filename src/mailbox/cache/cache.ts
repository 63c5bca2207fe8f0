import type { DraftWithContent } from '../../protocol/records/draft'
import type { DeletedRecord, Event } from '../../protocol/records/event'
import type { Inbox } from '../../protocol/records/inbox'
import type { Label } from '../../protocol/records/label'
import type { Message, MessageSummary } from '../../protocol/records/message'
import type { MergedThread, Thread } from '../../protocol/records/thread'
import { eventShapes } from '../../protocol/wire'
import { BoundedMap } from '../base/bounded-map'
import { LabelBook, moveToThread, renameLabel } from './label-book'

/** The bodies of a message. They change only if its original is parsed again. */
export type MessageBody = Pick<Message, 'body_text' | 'body_html' | 'headers' | 'codes' | 'links'>

interface Kinds {
  message: MessageSummary
  thread: Thread
  /** With content, which events do not have. */
  draft: DraftWithContent
  inbox: Inbox
  body: MessageBody
  /** Ids of all messages of a thread, in order of arrival, which times do not show exactly. */
  members: { readonly ids: readonly string[] }
}
type Kind = keyof Kinds
type Versioned = 'message' | 'thread' | 'draft' | 'inbox'

/** Approximate size of an entry beside its record. */
const entryBytes = 500

/** Approximate size in bytes of a record, whatever it holds: a sender decides how much that is. */
const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return 24 + 2 * value.length
  if (typeof value !== 'object' || value === null) return 8
  return Object.values(value).reduce((sum, one) => sum + 16 + sizeOf(one), 64)
}

const versionedKind = (type: string): Versioned | null => {
  if (!Object.hasOwn(eventShapes, type)) return null
  if (type === 'label.assigned' || type === 'label.unassigned') return 'message'
  const noun = type.slice(0, type.indexOf('.'))
  return noun === 'message' || noun === 'thread' || noun === 'draft' || noun === 'inbox' ? noun : null
}

/** Bounds of a {@link Cache}. */
interface CacheOptions {
  /** Default 64 MiB. The least recently used record is evicted first. */
  maxBytes?: number | undefined
  /** The one inbox whose log is read. Other records are not cached: no event would correct them. */
  inboxId?: string | undefined
}

/** A read of a thread's members that is in progress. */
interface MembersRead {
  /** Ids of messages that the log reported during the read. */
  readonly added: Set<string>
  /** True once an event made the result of the read unusable. */
  spoiled: boolean
}

/**
 * Caches records as of the cursor of the log. `apply` and `put` ignore anything older than the cached record.
 */
export class Cache {
  readonly labels = new LabelBook()
  readonly #held: BoundedMap<Kinds[Kind]>
  readonly #inboxId: string | undefined
  /** Keys of recently deleted records, each with the position of the deletion in the log. */
  readonly #gone = new BoundedMap<number>(10_000)
  readonly #reads = new Map<string, MembersRead>()
  #epoch = 0

  constructor({ maxBytes = 64 * 1024 * 1024, inboxId }: CacheOptions = {}) {
    this.#held = new BoundedMap(maxBytes)
    this.#inboxId = inboxId
  }

  /** Applies an event. */
  apply(event: Event): void {
    const isNew = this.labels.apply(event)
    const kind = versionedKind(event.type)
    if (event.type === 'label.updated' || event.type === 'label.deleted') {
      if (isNew) this.#relabel(event.data as unknown as Partial<Label> & { id: string })
      return
    }
    if (!kind) return
    if (event.type === `${kind}.deleted`) return this.#remove(kind, event.data as unknown as DeletedRecord)
    if (kind === 'draft') return this.#outdate(kind, event.data as unknown as DraftWithContent)
    if (event.type === 'thread.merged') this.#join(event.data as unknown as MergedThread)
    this.put(kind, event.data as unknown as Kinds[typeof kind])
    if (event.type === 'message.updated') this.#held.delete(`body:${event.data.id}`)
    if (kind === 'message') this.#noteMember(event.data as unknown as MessageSummary)
  }

  /** Number of gaps in the log so far. A record requested before a gap is not cached after it. */
  get epoch(): number {
    return this.#epoch
  }

  /** Returns a cached record. */
  get<K extends Kind>(kind: K, id: string): Kinds[K] | undefined {
    return this.#held.get(`${kind}:${id}`) as Kinds[K] | undefined
  }

  /** Returns whether the log reported its deletion recently. */
  isDeleted(kind: Versioned, id: string): boolean {
    return this.#gone.has(`${kind}:${id}`)
  }

  /**
   * Caches a record unless a newer one is cached; returns the newer one.
   *
   * @param epoch Value of `epoch` when the record was requested.
   */
  put<K extends Versioned>(kind: K, record: Kinds[K], epoch = this.#epoch): Kinds[K] {
    const held = this.#held.peek(`${kind}:${record.id}`) as Kinds[K] | undefined
    if (held && held.seq >= record.seq) return held
    if (epoch !== this.#epoch || this.#isGone(kind, record)) return record
    const labelled = kind === 'message' || kind === 'thread'
    const corrected = labelled ? (this.labels.correct(record as MessageSummary | Thread) as Kinds[K]) : record
    const inboxId = kind === 'inbox' ? record.id : (record as { inbox_id: string }).inbox_id
    if (this.#covers(inboxId)) this.#set(kind, record.id, corrected)
    return corrected
  }

  /** Drops a draft that this process changed: its event may come later, or never. */
  forgetDraft(id: string): void {
    this.#held.delete(`draft:${id}`)
  }

  /** Caches the bodies of a message, unless it was deleted. */
  putBody(message: MessageSummary, body: MessageBody, epoch = this.#epoch): void {
    const isOld = (this.get('message', message.id)?.seq ?? 0) > message.seq
    if (epoch === this.#epoch && !isOld && !this.#isGone('message', message))
      this.#set('body', message.id, body)
  }

  /** Reads the members of a thread. Messages that arrive during the read are added. */
  async loadMembers(
    threadId: string,
    load: () => Promise<readonly MessageSummary[]>,
  ): Promise<readonly string[]> {
    const read: MembersRead = { added: new Set(), spoiled: false }
    this.#reads.set(threadId, read)
    try {
      const records = await load()
      const ids = [...new Set([...records.map(({ id }) => id), ...read.added])]
      // Under an id that was merged into another thread, no event would add members.
      const ownId = records.every((record) => record.thread_id === threadId)
      if (ownId && !read.spoiled && this.#covers(records[0]?.inbox_id))
        this.#set('members', threadId, { ids })
      return ids.filter((id) => !this.isDeleted('message', id))
    } finally {
      this.#reads.delete(threadId)
    }
  }

  /** Forgets everything: the log has a gap. */
  clear(): void {
    this.#epoch += 1
    this.#held.clear()
    this.#gone.clear()
    this.labels.clear()
    for (const read of this.#reads.values()) read.spoiled = true
  }

  #covers(inboxId: string | undefined): boolean {
    return this.#inboxId === undefined || inboxId === this.#inboxId
  }

  /** Returns whether a record was read before its deletion, but arrives after the deletion was reported. */
  #isGone(kind: Versioned, record: Kinds[Versioned]): boolean {
    const threadId = 'thread_id' in record ? [`thread:${record.thread_id}`] : []
    const inboxId = 'inbox_id' in record ? [`inbox:${record.inbox_id}`] : []
    return [`${kind}:${record.id}`, ...threadId, ...inboxId].some(
      (key) => (this.#gone.get(key) ?? 0) > record.seq,
    )
  }

  /** Drops older versions of a record, also those that arrive later. */
  #outdate(kind: Versioned, { id, seq }: { id: string; seq: number }): void {
    this.#gone.set(`${kind}:${id}`, seq)
    if ((this.get(kind, id)?.seq ?? seq) < seq) this.#held.delete(`${kind}:${id}`)
  }

  /** Drops a record, and the records that belong to it. */
  #remove(kind: Versioned, { id, thread_id: threadId, seq }: DeletedRecord): void {
    this.#gone.set(`${kind}:${id}`, seq)
    this.#held.delete(`${kind}:${id}`)
    if (kind === 'message') {
      this.#held.delete(`body:${id}`)
      this.#dropMembers(String(threadId))
      return
    }
    if (kind === 'draft') return
    for (const [key, held] of this.#held.entries()) {
      const record = held as Partial<MessageSummary>
      if (kind === 'thread' && !key.startsWith('message:')) continue
      if ((kind === 'thread' ? record.thread_id : record.inbox_id) !== id) continue
      this.#held.delete(key)
      this.#held.delete(key.replace(/^message:/, 'body:'))
      this.#held.delete(key.replace(/^thread:/, 'members:'))
    }
    if (kind === 'thread') return this.#dropMembers(id)
    for (const read of this.#reads.values()) read.spoiled = true
  }

  #dropMembers(threadId: string): void {
    this.#held.delete(`members:${threadId}`)
    const read = this.#reads.get(threadId)
    if (read) read.spoiled = true
  }

  /** Moves the cached records of a thread to the thread that it was merged into. */
  #join(merged: MergedThread): void {
    this.#gone.set(`thread:${merged.merged_id}`, merged.seq)
    for (const thread of [merged.merged_id, merged.id]) this.#dropMembers(thread)
    this.#held.delete(`thread:${merged.merged_id}`)
    this.#change(['message', 'draft'], (record: MessageSummary | DraftWithContent) =>
      moveToThread(record, merged),
    )
  }

  /** Renames a label in the records that have it; without a name, removes it. */
  #relabel({ id, name }: Partial<Label> & { id: string }): void {
    this.#change(['message', 'thread'], (record: MessageSummary | Thread) => renameLabel(record, id, name))
  }

  /** Replaces records of these kinds; unchanged records are not touched. */
  #change<K extends Versioned>(kinds: readonly K[], change: (record: Kinds[K]) => Kinds[K]): void {
    for (const [key, held] of this.#held.entries()) {
      const kind = kinds.find((one) => key.startsWith(`${one}:`))
      if (!kind) continue
      const changed = change(held as Kinds[K])
      if (changed !== held) this.#set(kind, changed.id, changed)
    }
  }

  #noteMember({ id, thread_id: threadId }: MessageSummary): void {
    this.#reads.get(threadId)?.added.add(id)
    const members = this.#held.peek(`members:${threadId}`) as Kinds['members'] | undefined
    if (members && !members.ids.includes(id)) this.#set('members', threadId, { ids: [...members.ids, id] })
  }

  #set<K extends Kind>(kind: K, id: string, record: Kinds[K]): void {
    this.#held.set(`${kind}:${id}`, record, entryBytes + sizeOf(record))
  }
}
