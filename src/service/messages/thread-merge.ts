import type { ParsedMail } from '../../mail/parsed-mail'
import type { MailList } from '../../protocol/records/message'
import { senderProofOf } from '../base/sender-proof'
import type { ChangeContext } from '../log/registry'
import { maxParticipants, openStatus, type ThreadRow } from './records'
import { dropThreadLabels } from './thread-refresh'

/** Sorts threads, oldest first: the oldest keeps its id in a merge. */
export function oldestOf(
  threads: readonly ThreadRow[],
): [oldest: ThreadRow | undefined, ...others: ThreadRow[]] {
  const ageOf = ({ created_at, id }: ThreadRow) => `${created_at} ${id}`
  const [oldest, ...others] = [...threads].sort((a, b) => (ageOf(a) < ageOf(b) ? -1 : 1))
  return [oldest, ...others]
}

const seatOf = (threadId: string, address: string) => `${threadId}\n${address.toLowerCase()}`

/** Senders who wrote into threads uninvited, and so may not join threads. */
export class Newcomers {
  readonly #seats: Set<string>

  private constructor(seats: Iterable<string>) {
    this.#seats = new Set(seats)
  }

  static async load({ tx, account }: ChangeContext, threadIds: readonly string[]): Promise<Newcomers> {
    if (threadIds.length === 0) return new Newcomers([])
    const rows = await tx
      .selectFrom('messages')
      .select(['thread_id', 'from_addr', 'authentication'])
      .where('tenant_id', '=', account.tenant_id)
      .where('thread_id', 'in', threadIds)
      .where('new_participant', '=', 1)
      .execute()
    // A forged message says nothing about the named sender.
    const own = rows.filter(
      ({ authentication }) => senderProofOf(JSON.parse(authentication ?? 'null'), false).from,
    )
    return new Newcomers(own.map((row) => seatOf(row.thread_id, row.from_addr)))
  }

  has(threadId: string, address: string): boolean {
    return this.#seats.has(seatOf(threadId, address))
  }

  add(threadId: string, address: string): void {
    this.#seats.add(seatOf(threadId, address))
  }
}

type Named = Pick<MailList, 'id' | 'post'>

/** Returns the name of a list, its id or else its address; null if it has neither. */
const keyOf = (list: Named | null): string | null => (list && (list.id ?? list.post))?.toLowerCase() ?? null

/** Returns the name of the list that a message came through; null if none. */
export const listKeyOf = ({ list }: Pick<ParsedMail, 'list'>): string | null => keyOf(list)

/**
 * Lists of threads whose messages all came through one list. All readers of the list have them, so any of its
 * messages may join two of them. Any other message in a thread keeps strangers from joining it.
 */
export class ThreadLists {
  /** List of each thread; null if any of its messages came otherwise. */
  readonly #keys: Map<string, string | null>

  private constructor(keys: Map<string, string | null>) {
    this.#keys = keys
  }

  static async load({ tx, account }: ChangeContext, threadIds: readonly string[]): Promise<ThreadLists> {
    const lists = new ThreadLists(new Map())
    if (threadIds.length === 0) return lists
    const rows = await tx
      .selectFrom('messages')
      .select(['thread_id', 'list'])
      .distinct()
      .where('tenant_id', '=', account.tenant_id)
      .where('thread_id', 'in', threadIds)
      .execute()
    for (const { thread_id, list } of rows)
      lists.add(thread_id, keyOf(list === null ? null : (JSON.parse(list) as Named)))
    return lists
  }

  /** Notes that a message has arrived in a thread. */
  add(threadId: string, key: string | null): void {
    const known = this.#keys.get(threadId)
    this.#keys.set(threadId, known === undefined || known === key ? key : null)
  }

  /** Moves the list of a thread that was merged into another. */
  move(from: string, to: string): void {
    const key = this.#keys.get(from)
    if (key !== undefined) this.add(to, key)
  }

  /** Returns whether all messages of a thread came through this list. */
  has(threadId: string, key: string): boolean {
    return this.#keys.get(threadId) === key
  }
}

/** Compares the last messages of two threads; those of one millisecond by their position in the log. */
const isLater = (one: ThreadRow, other: ThreadRow): boolean =>
  one.last_message_at === other.last_message_at
    ? one.last_message_created_seq > other.last_message_created_seq
    : one.last_message_at > other.last_message_at

const assignedOf = ({ assignee, assignee_name }: ThreadRow) => ({ assignee, assignee_name })

/** Merges two threads, under the id of the first. */
export function mergedThread(kept: ThreadRow, other: ThreadRow): ThreadRow {
  const list = (text: string) => JSON.parse(text) as string[]
  const union = (one: string, another: string) => [...new Set([...list(one), ...list(another)])]
  const last = isLater(other, kept) ? other : kept
  return {
    ...kept,
    participants: JSON.stringify(union(kept.participants, other.participants).slice(0, maxParticipants)),
    message_count: kept.message_count + other.message_count,
    label_ids: JSON.stringify(union(kept.label_ids, other.label_ids).sort()),
    hold: kept.hold ?? other.hold,
    released_seq: Math.max(kept.released_seq, other.released_seq),
    typing_job_id: kept.typing_job_id ?? other.typing_job_id,
    ...assignedOf(kept.assignee === null ? other : kept),
    ...(kept.status !== other.status && openStatus),
    note_count: kept.note_count + other.note_count,
    last_message_id: last.last_message_id,
    last_message_created_seq: last.last_message_created_seq,
    last_message_at: last.last_message_at,
    preview: last.preview,
  }
}

/** Redirects the secondary ids of a thread to another, without duplicates. */
async function moveMentions(tx: ChangeContext['tx'], tenantId: string, from: string, to: string) {
  const mentionsOf = (threadId: string) =>
    tx
      .selectFrom('thread_mentions as mention')
      .where('mention.tenant_id', '=', tenantId)
      .where('mention.thread_id', '=', threadId)
  await tx
    .insertInto('thread_mentions')
    .columns(['tenant_id', 'inbox_id', 'rfc822_message_id', 'thread_id'])
    .expression(
      mentionsOf(from)
        .select(['mention.tenant_id', 'mention.inbox_id', 'mention.rfc822_message_id'])
        .select(({ val }) => val(to).as('thread_id')),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx
    .deleteFrom('thread_mentions')
    .where('tenant_id', '=', tenantId)
    .where('thread_id', '=', from)
    .execute()
}

/** Moves everything in a thread to another, and leaves an alias in its place forever. */
export async function moveThread(change: ChangeContext, from: string, to: string): Promise<void> {
  const { tx, account } = change
  const { tenant_id } = account
  await change.tell('merging', { from, to })
  await moveMentions(tx, tenant_id, from, to)
  for (const table of [
    'messages',
    'thread_keys',
    'thread_aliases',
    'drafts',
    'sends',
    'events',
    'notes',
  ] as const) {
    await tx
      .updateTable(table as 'messages')
      .set({ thread_id: to })
      .where('tenant_id', '=', tenant_id)
      .where('thread_id', '=', from)
      .execute()
  }
  await tx.deleteFrom('presence').where('tenant_id', '=', tenant_id).where('thread_id', '=', from).execute()
  await dropThreadLabels(tx, tenant_id, [from])
  await tx.deleteFrom('threads').where('tenant_id', '=', tenant_id).where('id', '=', from).execute()
  await tx.insertInto('thread_aliases').values({ tenant_id, id: from, thread_id: to }).execute()
}
