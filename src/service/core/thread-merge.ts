import type { Change } from './change'
import { mergeForConsumers } from './consumer-changes'
import type { ThreadRow } from './records'
import { dropThreadLabels } from './thread-labels'

const mostParticipants = 100

/** Of several threads the oldest, which keeps its id when they turn out to be one, and the others. */
export function oldestOf(
  threads: readonly ThreadRow[],
): [oldest: ThreadRow | undefined, ...others: ThreadRow[]] {
  const ageOf = ({ created_at, id }: ThreadRow) => `${created_at} ${id}`
  const [oldest, ...others] = [...threads].sort((a, b) => (ageOf(a) < ageOf(b) ? -1 : 1))
  return [oldest, ...others]
}

/** Two threads as one, under the id of the first. */
export function mergedThread(kept: ThreadRow, other: ThreadRow): ThreadRow {
  const list = (text: string) => JSON.parse(text) as string[]
  const union = (one: string, another: string) => [...new Set([...list(one), ...list(another)])]
  const last = other.last_message_at > kept.last_message_at ? other : kept
  return {
    ...kept,
    participants: JSON.stringify(union(kept.participants, other.participants).slice(0, mostParticipants)),
    message_count: kept.message_count + other.message_count,
    label_ids: JSON.stringify(union(kept.label_ids, other.label_ids).sort()),
    last_message_id: last.last_message_id,
    last_message_at: last.last_message_at,
    preview: last.preview,
  }
}

/** Moves all that is in a thread to another, and leaves an alias in its place for good. */
export async function moveThread(change: Change, from: string, to: string): Promise<void> {
  const { tx, account } = change
  const { tenant_id } = account
  await mergeForConsumers(change, from, to)
  for (const table of ['messages', 'thread_keys', 'thread_aliases', 'drafts', 'sends', 'events'] as const) {
    await tx
      .updateTable(table as 'messages')
      .set({ thread_id: to })
      .where('tenant_id', '=', tenant_id)
      .where('thread_id', '=', from)
      .execute()
  }
  await dropThreadLabels(tx, tenant_id, [from])
  await tx.deleteFrom('threads').where('tenant_id', '=', tenant_id).where('id', '=', from).execute()
  await tx.insertInto('thread_aliases').values({ tenant_id, id: from, thread_id: to }).execute()
}
