import { sql, type Transaction } from 'kysely'
import type { ChangeContext } from '../log/registry'
import { insertPrepared, padded, runPrepared } from '../store/prepared'
import type { Database } from '../store/tables/schema'
import type { ThreadRow } from './records'
import { saveThreadLabels } from './thread-refresh'

/** Fields of a message that threading needs. */
export interface Threadable {
  inboxId: string
  messageId: string | null
  references: readonly string[]
  /** Outlook's id of the conversation; used if the message has no references. */
  conversation: string | null
}

/** Thread that a message may belong to. */
export interface Relation {
  thread: ThreadRow
  /**
   * False if both only name an id of an unknown message. A program may have put it into messages of
   * strangers, so only common people prove that they belong together.
   */
  isSure: boolean
  /** Number of ids that both name. */
  names: number
  /** True if the thread names the message itself: it has answers that arrived before the message. */
  isAnswer: boolean
}

interface Key {
  /** Thread of the message, or of the first message that names it; then the others that name it. */
  threadIds: string[]
  /** Null if the message was only referred to. */
  messageId: string | null
}

/** Maximum number of threads for an id of an unknown message: as many answers as a crowd may send. */
const maxThreads = 32
/** Ids in one query: SQLite takes 32,766 parameters, and the query has each id twice. */
const maxIdsAtOnce = 4_096
/** Maximum number of references of a message that may lead to several threads: the first, and the last. */
const maxShared = 8

const keyOf = (inboxId: string, rfc822Id: string) => `${inboxId}\n${rfc822Id}`

/**
 * Threads that a batch of messages touches. Every Message-ID that an inbox has seen, as a message's own or in
 * References, leads to a thread. So a message finds its thread even if it arrives before the one it answers.
 * An id of an unknown message may lead to several: strangers who answer the same message have separate
 * threads.
 */
export class ThreadIndex {
  readonly #tx: Transaction<Database>
  readonly #tenantId: string
  readonly #keys = new Map<string, Key>()
  readonly #threads = new Map<string, ThreadRow>()
  readonly #changedKeys = new Set<string>()
  readonly #changedThreads = new Set<string>()
  /** Threads that were merged into others, each with its current one. */
  readonly #moved = new Map<string, string>()

  private constructor(tx: Transaction<Database>, tenantId: string) {
    this.#tx = tx
    this.#tenantId = tenantId
  }

  /** Reads everything that these messages can lead to. */
  static async load(
    tx: Transaction<Database>,
    tenantId: string,
    mails: readonly Threadable[],
  ): Promise<ThreadIndex> {
    const index = new ThreadIndex(tx, tenantId)
    const ids = new Set(
      mails.flatMap(({ references, messageId, conversation }) =>
        [...references, messageId, conversation].filter((id) => id !== null),
      ),
    )
    const inboxIds = [...new Set(mails.map((mail) => mail.inboxId))]
    const all = [...ids]
    for (let at = 0; at < all.length; at += maxIdsAtOnce)
      await index.#loadKeys(inboxIds, all.slice(at, at + maxIdsAtOnce))
    return index
  }

  async #loadKeys(inboxIds: string[], rfc822Ids: string[]): Promise<void> {
    const [inboxes, ids] = [padded(inboxIds), padded(rfc822Ids)]
    const key = `thread keys of ${inboxes.length} ${ids.length}`
    const parameters = [this.#tenantId, ...inboxes, ...ids]
    const rows = await runPrepared(this.#tx, key, [...parameters, ...parameters], () =>
      this.#tx
        .selectFrom('thread_keys')
        .select(['inbox_id', 'rfc822_message_id', 'thread_id', 'message_id', sql<number>`0`.as('is_other')])
        .where('tenant_id', '=', this.#tenantId)
        .where('inbox_id', 'in', inboxes)
        .where('rfc822_message_id', 'in', ids)
        .unionAll(
          this.#tx
            .selectFrom('thread_mentions')
            .select(['inbox_id', 'rfc822_message_id', 'thread_id'])
            .select([sql<string | null>`null`.as('message_id'), sql<number>`1`.as('is_other')])
            .where('tenant_id', '=', this.#tenantId)
            .where('inbox_id', 'in', inboxes)
            .where('rfc822_message_id', 'in', ids),
        ),
    )
    // Thread ids begin with their time.
    const inOrder = rows.sort((a, b) => a.is_other - b.is_other || (a.thread_id < b.thread_id ? -1 : 1))
    for (const row of inOrder) {
      const name = keyOf(row.inbox_id, row.rfc822_message_id)
      const known = this.#keys.get(name)
      if (!known) this.#keys.set(name, { threadIds: [row.thread_id], messageId: row.message_id })
      else if (!known.threadIds.includes(row.thread_id)) known.threadIds.push(row.thread_id)
    }
    await this.#loadThreads([...new Set(rows.map((row) => row.thread_id))])
  }

  async #loadThreads(ids: string[]): Promise<void> {
    if (ids.length === 0) return
    const rows = await this.#tx
      .selectFrom('threads')
      .selectAll()
      .where('tenant_id', '=', this.#tenantId)
      .where('id', 'in', ids)
      .execute()
    for (const row of rows) this.#threads.set(row.id, row)
  }

  /** Adds a thread that was found by other means. */
  know(thread: ThreadRow): void {
    if (!this.#threads.has(thread.id)) this.#threads.set(thread.id, thread)
  }

  /** Returns the current state of a thread, also after a merge. */
  current(id: string): ThreadRow | undefined {
    return this.#threads.get(this.#moved.get(id) ?? id)
  }

  /** Replaces a thread by the one that it was merged into. */
  absorb(merged: ThreadRow, otherId: string): void {
    for (const [id, to] of this.#moved) if (to === otherId) this.#moved.set(id, merged.id)
    this.#moved.set(otherId, merged.id)
    this.#threads.delete(otherId)
    this.#changedThreads.delete(otherId)
    this.#threads.set(merged.id, merged)
    this.#changedThreads.add(merged.id)
    for (const key of this.#keys.values())
      if (key.threadIds.includes(otherId))
        key.threadIds = [...new Set(key.threadIds.map((id) => (id === otherId ? merged.id : id)))]
  }

  /** Returns the threads that were loaded. */
  get known(): ThreadRow[] {
    return [...this.#threads.values()]
  }

  /** Returns the new and changed threads, the last changed first. */
  get touched(): ThreadRow[] {
    return [...this.#changedThreads].map((id) => this.#threads.get(id)!).sort((a, b) => b.seq - a.seq)
  }

  /** Returns the message that has arrived with this Message-ID, if any. */
  arrived(mail: Threadable): string | null {
    if (mail.messageId === null) return null
    return this.#keys.get(keyOf(mail.inboxId, mail.messageId))?.messageId ?? null
  }

  /**
   * Returns the threads that a message belongs to: those of its known ancestors, and of messages that refer
   * to it. A message with a Message-ID that already arrived joins nothing: it belongs to the thread of its
   * nearest ancestor.
   */
  related(mail: Threadable): Relation[] {
    const isCopy = this.arrived(mail) !== null
    const own = mail.messageId === null || isCopy ? [] : [mail.messageId]
    const found = new Map<string, Relation>()
    const find = (rfc822Id: string) => {
      const key = this.#keys.get(keyOf(mail.inboxId, rfc822Id))
      const isOwn = rfc822Id === mail.messageId
      const threads = key ? this.#threadsOf(key) : []
      for (const thread of threads) {
        const known = found.get(thread.id)
        const isSure = known?.isSure || key!.messageId !== null || isOwn
        const names = 1 + (known?.names ?? 0)
        found.set(thread.id, { thread, isSure, names, isAnswer: known?.isAnswer || isOwn })
      }
      return threads.length > 0
    }
    for (const rfc822Id of [...own, ...mail.references].reverse()) if (find(rfc822Id) && isCopy) break
    if (mail.references.length === 0 && found.size === 0 && mail.conversation) find(mail.conversation)
    return [...found.values()]
  }

  /** Returns the threads that an id leads to: that of its message, else all that name it. */
  #threadsOf({ threadIds, messageId }: Key): ThreadRow[] {
    const ids = messageId === null ? threadIds : threadIds.slice(0, 1)
    return [...new Set(ids.flatMap((id) => this.current(id) ?? []))]
  }

  /** Notes that a message has arrived in a thread, and that the thread is new or changed. */
  place(mail: Threadable, thread: ThreadRow, messageId: string): void {
    this.#threads.set(thread.id, thread)
    this.#changedThreads.add(thread.id)
    // A copy adds no keys.
    if (this.arrived(mail)) return
    const { references, conversation } = mail
    const names = conversation === null ? references : [...references, conversation]
    for (const id of names) this.#learn(keyOf(mail.inboxId, id), thread.id)
    for (const id of [...names.slice(0, 1), ...names.slice(-maxShared)])
      this.#share(keyOf(mail.inboxId, id), thread.id)
    if (mail.messageId === null) return
    const key = keyOf(mail.inboxId, mail.messageId)
    this.#keys.set(key, { threadIds: [thread.id], messageId })
    this.#changedKeys.add(key)
  }

  #learn(key: string, threadId: string): void {
    if (this.#keys.has(key)) return
    this.#keys.set(key, { threadIds: [threadId], messageId: null })
    this.#changedKeys.add(key)
  }

  /** Notes that another thread names an unknown message. */
  #share(key: string, threadId: string): void {
    const { threadIds, messageId } = this.#keys.get(key)!
    if (messageId !== null || threadIds.includes(threadId) || threadIds.length >= maxThreads) return
    threadIds.push(threadId)
    this.#changedKeys.add(key)
  }

  /** Writes the changes. */
  async save(): Promise<void> {
    await this.#saveThreads(this.touched)
    await this.#saveKeys([...this.#changedKeys])
  }

  async #saveThreads(rows: ThreadRow[]): Promise<void> {
    if (rows.length === 0) return
    await insertPrepared(this.#tx, 'threads', rows, (some) =>
      this.#tx
        .insertInto('threads')
        .values(some)
        .onConflict((conflict) =>
          conflict.columns(['tenant_id', 'id']).doUpdateSet((row) => ({
            participants: row.ref('excluded.participants'),
            message_count: row.ref('excluded.message_count'),
            last_message_id: row.ref('excluded.last_message_id'),
            last_message_created_seq: row.ref('excluded.last_message_created_seq'),
            last_message_at: row.ref('excluded.last_message_at'),
            preview: row.ref('excluded.preview'),
            label_ids: row.ref('excluded.label_ids'),
            hold: row.ref('excluded.hold'),
            released_seq: row.ref('excluded.released_seq'),
            typing_job_id: row.ref('excluded.typing_job_id'),
            assignee: row.ref('excluded.assignee'),
            assignee_name: row.ref('excluded.assignee_name'),
            status: row.ref('excluded.status'),
            snoozed_until: row.ref('excluded.snoozed_until'),
            snooze_job_id: row.ref('excluded.snooze_job_id'),
            note_count: row.ref('excluded.note_count'),
            seq: row.ref('excluded.seq'),
          })),
        ),
    )
    const labelled = rows.filter((row) => row.label_ids !== '[]')
    if (labelled.length > 0) await saveThreadLabels(this.#tx, this.#tenantId, labelled)
  }

  async #saveKeys(keys: string[]): Promise<void> {
    if (keys.length === 0) return
    const named = keys.map((key) => {
      const [inbox_id, rfc822_message_id] = key.split('\n') as [string, string]
      return { tenant_id: this.#tenantId, inbox_id, rfc822_message_id, ...this.#keys.get(key)! }
    })
    const rows = named.map(({ threadIds, messageId, ...id }) => ({
      ...id,
      thread_id: threadIds[0]!,
      message_id: messageId,
    }))
    const others = named.flatMap(({ threadIds, messageId: _, ...id }) =>
      threadIds.slice(1).map((thread_id) => ({ ...id, thread_id })),
    )
    await insertPrepared(this.#tx, 'thread keys', rows, (some) =>
      this.#tx
        .insertInto('thread_keys')
        .values(some)
        .onConflict((conflict) =>
          conflict.columns(['tenant_id', 'inbox_id', 'rfc822_message_id']).doUpdateSet((row) => ({
            message_id: row.ref('excluded.message_id'),
            thread_id: row.ref('excluded.thread_id'),
          })),
        ),
    )
    await insertPrepared(this.#tx, 'thread mentions', others, (some) =>
      this.#tx
        .insertInto('thread_mentions')
        .values(some)
        .onConflict((conflict) => conflict.doNothing()),
    )
  }
}

/** Notes the Message-IDs that relays gave to a message: answers and reports that name them belong to it. */
export async function noteNames(
  { tx, account }: ChangeContext,
  messageId: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return
  const row = await tx
    .selectFrom('messages')
    .select(['inbox_id', 'thread_id'])
    .where('tenant_id', '=', account.tenant_id)
    .where('id', '=', messageId)
    .executeTakeFirst()
  if (!row) return
  await tx
    .insertInto('thread_keys')
    .values(
      names.map((rfc822_message_id) => ({
        tenant_id: account.tenant_id,
        inbox_id: row.inbox_id,
        rfc822_message_id,
        thread_id: row.thread_id,
        message_id: messageId,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
