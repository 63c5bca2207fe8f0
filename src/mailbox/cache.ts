import { LRUCache } from 'lru-cache'
import {
  type DeletedRecord,
  type Event,
  eventData,
  type Inbox,
  type Label,
  type MergedThread,
  type Message,
  type MessageSummary,
  type Thread,
} from '../protocol'

/** The bodies of a message; they never change. */
export type MessageBody = Pick<Message, 'body_text' | 'body_html' | 'headers' | 'codes' | 'links'>

interface Kinds {
  message: MessageSummary
  thread: Thread
  inbox: Inbox
  body: MessageBody
  /** The ids of all messages of a thread. */
  members: { readonly ids: readonly string[] }
}
type Kind = keyof Kinds
type Versioned = 'message' | 'thread' | 'inbox'

/** Bytes, roughly: two for each character of the texts that can be long, and a flat sum for the rest. */
const sizeOf: { [K in Kind]: (record: Kinds[K]) => number } = {
  message: (record) =>
    2_000 + 2 * (record.preview.length + record.subject.length + (record.reply_text?.length ?? 0)),
  thread: (record) =>
    1_000 + 2 * (record.preview.length + record.subject.length) + 60 * record.participants.length,
  inbox: () => 500,
  body: (record) =>
    500 + 2 * (record.body_text.length + (record.body_html?.length ?? 0)) + 200 * record.headers.length,
  members: ({ ids }) => 200 + 60 * ids.length,
}

const versionedKind = (type: string): Versioned | null => {
  if (!Object.hasOwn(eventData, type)) return null
  if (type === 'label.assigned' || type === 'label.unassigned') return 'message'
  const noun = type.slice(0, type.indexOf('.'))
  return noun === 'message' || noun === 'thread' || noun === 'inbox' ? noun : null
}

/** How a {@link Cache} is bounded. */
export interface CacheOptions {
  /** Default 64 MiB. The least recently used goes first. */
  maxBytes?: number | undefined
  /** What the log is read for: of other inboxes nothing is kept, since no event would correct it. */
  inboxId?: string | undefined
}

/**
 * What the mailbox holds. For that, it shows what the log says up to the cursor: `apply` and `put` ignore
 * whatever is older than what is held.
 */
export class Cache {
  readonly #held: LRUCache<string, Kinds[Kind]>
  readonly #inboxId: string | undefined
  /** What was deleted a while ago, by its position in the log. */
  readonly #gone = new LRUCache<string, number>({ max: 10_000 })
  /** Threads whose members are being read, with what the log said of them meanwhile. */
  readonly #arrivals = new Map<string, Set<string>>()

  constructor({ maxBytes = 64 * 1024 * 1024, inboxId }: CacheOptions = {}) {
    this.#held = new LRUCache({ maxSize: maxBytes })
    this.#inboxId = inboxId
  }

  /** Takes over what an event says. */
  apply(event: Event): void {
    const kind = versionedKind(event.type)
    if (event.type === 'label.updated' || event.type === 'label.deleted')
      return this.#relabel(event.data as unknown as Partial<Label> & { id: string })
    if (!kind) return
    if (event.type === `${kind}.deleted`) return this.#remove(kind, event.data as unknown as DeletedRecord)
    if (event.type === 'thread.merged') this.#join(event.data as unknown as MergedThread)
    this.put(kind, event.data as unknown as Kinds[Versioned])
    if (kind === 'message') this.#noteMember(event.data as unknown as MessageSummary)
  }

  /** What is held. */
  get<K extends Kind>(kind: K, id: string): Kinds[K] | undefined {
    return this.#held.get(`${kind}:${id}`) as Kinds[K] | undefined
  }

  /** Keeps a record unless a newer one is held; returns the newer one. */
  put<K extends Versioned>(kind: K, record: Kinds[K]): Kinds[K] {
    const held = this.#held.peek(`${kind}:${record.id}`) as Kinds[K] | undefined
    if (held && held.seq >= record.seq) return held
    if (this.#isGone(kind, record)) return record
    const inboxId = 'inbox_id' in record ? record.inbox_id : record.id
    if (this.#inboxId === undefined || inboxId === this.#inboxId) this.#set(kind, record.id, record)
    return record
  }

  /** Keeps the bodies of a message. */
  putBody(id: string, body: MessageBody): void {
    this.#set('body', id, body)
  }

  /** Reads who belongs to a thread; what arrives meanwhile is added. */
  async loadMembers(
    threadId: string,
    load: () => Promise<readonly MessageSummary[]>,
  ): Promise<readonly string[]> {
    const arrivals = new Set<string>()
    this.#arrivals.set(threadId, arrivals)
    try {
      const records = await load()
      const ids = [...new Set([...records.map(({ id }) => id), ...arrivals])]
      const covered = this.#inboxId === undefined || records[0]?.inbox_id === this.#inboxId
      if (covered) this.#set('members', threadId, { ids })
      return ids
    } finally {
      this.#arrivals.delete(threadId)
    }
  }

  /** Forgets everything: the log has a gap. */
  clear(): void {
    this.#held.clear()
  }

  /** Whether a record was read before, and came after, the word that it was deleted. */
  #isGone(kind: Versioned, record: Kinds[Versioned]): boolean {
    const threadId = 'thread_id' in record ? [`thread:${record.thread_id}`] : []
    const inboxId = 'inbox_id' in record ? [`inbox:${record.inbox_id}`] : []
    return [`${kind}:${record.id}`, ...threadId, ...inboxId].some(
      (key) => (this.#gone.get(key) ?? 0) > record.seq,
    )
  }

  /** Forgets a record, and what belongs to it. */
  #remove(kind: Versioned, { id, thread_id: threadId, seq }: DeletedRecord): void {
    this.#gone.set(`${kind}:${id}`, seq)
    this.#held.delete(`${kind}:${id}`)
    if (kind === 'message') {
      this.#held.delete(`body:${id}`)
      this.#held.delete(`members:${threadId}`)
      this.#arrivals.get(String(threadId))?.delete(id)
      return
    }
    for (const key of [...this.#held.keys()]) {
      const record = this.#held.peek(key) as Partial<MessageSummary> | undefined
      if ((kind === 'thread' ? record?.thread_id : record?.inbox_id) !== id) continue
      this.#held.delete(key)
      this.#held.delete(key.replace(/^message:/, 'body:'))
      this.#held.delete(key.replace(/^thread:/, 'members:'))
    }
    this.#held.delete(`members:${id}`)
  }

  /** Moves what is held of a thread to the one that it is part of now. */
  #join({ id, merged_id, seq }: MergedThread): void {
    this.#gone.set(`thread:${merged_id}`, seq)
    for (const thread of [merged_id, id]) this.#held.delete(`members:${thread}`)
    this.#held.delete(`thread:${merged_id}`)
    for (const [key, held] of [...this.#held.entries()]) {
      const record = held as MessageSummary
      if (key.startsWith('message:') && record.thread_id === merged_id)
        this.#set('message', record.id, { ...record, thread_id: id })
    }
  }

  /** Puts the new name of a label into the records that have it, or takes it out where there is none. */
  #relabel({ id, name }: Partial<Label> & { id: string }): void {
    for (const [key, held] of [...this.#held.entries()]) {
      const kind = key.slice(0, key.indexOf(':'))
      if (kind !== 'message' && kind !== 'thread') continue
      const record = held as MessageSummary | Thread
      if (!record.label_ids?.includes(id)) continue
      const pairs = record.label_ids.map((one, i) => [one, one === id ? name : record.labels[i]] as const)
      const left = pairs.filter(([, label]) => label !== undefined)
      const changed = { labels: left.map(([, label]) => label!), label_ids: left.map(([one]) => one) }
      this.#set(kind, record.id, { ...record, ...changed } as MessageSummary & Thread)
    }
  }

  #noteMember({ id, thread_id: threadId }: MessageSummary): void {
    this.#arrivals.get(threadId)?.add(id)
    const members = this.#held.peek(`members:${threadId}`) as Kinds['members'] | undefined
    if (members && !members.ids.includes(id)) this.#set('members', threadId, { ids: [...members.ids, id] })
  }

  #set<K extends Kind>(kind: K, id: string, record: Kinds[K]): void {
    this.#held.set(`${kind}:${id}`, record, { size: sizeOf[kind](record) })
  }
}
