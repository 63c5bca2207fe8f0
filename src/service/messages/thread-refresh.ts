import type { Transaction } from 'kysely'
import { baseSubject } from '../../mail/headers/subject'
import type { ChangeContext } from '../log/registry'
import type { Database } from '../store/tables/schema'
import { type LabelNames, labelNamesOf } from './label-names'
import { type ThreadRow, threadRecord } from './records'
import { threadLabelsOf } from './system-labels'

const readMembers = ({ tx, account }: ChangeContext, threadId: string) =>
  tx
    .selectFrom('messages')
    .select(['id', 'subject', 'preview', 'from_addr', 'to_addrs', 'cc_addrs', 'label_ids'])
    .select(['created_at', 'created_seq'])
    .where('tenant_id', '=', account.tenant_id)
    .where('thread_id', '=', threadId)
    .orderBy('created_seq')
    .execute()

type Member = Awaited<ReturnType<typeof readMembers>>[number]

const addressesIn = ({ from_addr, to_addrs, cc_addrs }: Member): string[] => [
  from_addr,
  ...(JSON.parse(to_addrs) as string[]),
  ...(JSON.parse(cc_addrs) as string[]),
]

/** Returns the old subject if one of its messages still has it. */
const subjectOf = (thread: ThreadRow, members: readonly Member[]): string =>
  members.some(({ subject }) => baseSubject(subject) === baseSubject(thread.subject))
    ? thread.subject
    : members[0]!.subject

const unionOf = (members: readonly Member[], names: LabelNames): string => {
  const ids = new Set(members.flatMap(({ label_ids }) => JSON.parse(label_ids) as string[]))
  return JSON.stringify(threadLabelsOf([...ids].filter((id) => names.has(id)).sort()))
}

/** Computes a thread from its messages; null if there are none. Writes nothing. */
export async function rebuiltThread(change: ChangeContext, thread: ThreadRow): Promise<ThreadRow | null> {
  const members = await readMembers(change, thread.id)
  const last = members.at(-1)
  if (!last) return null
  const names = await labelNamesOf(change.tx, change.account.tenant_id, members)
  const named = new Set(members.flatMap(addressesIn))
  return {
    ...thread,
    subject: subjectOf(thread, members),
    // Nobody becomes a participant by that: To and Cc may be unsigned.
    participants: JSON.stringify(
      (JSON.parse(thread.participants) as string[]).filter((one) => named.has(one)),
    ),
    message_count: members.length,
    last_message_id: last.id,
    last_message_created_seq: last.created_seq,
    last_message_at: last.created_at,
    preview: last.preview,
    label_ids: unionOf(members, names),
  }
}

/** Writes a changed thread, with an event. */
export async function saveThread(
  change: ChangeContext,
  thread: ThreadRow,
  event: 'thread.updated' | 'thread.held' | 'thread.released' | 'thread.unattended' = 'thread.updated',
): Promise<ThreadRow> {
  const { tenant_id, id, ...values } = thread
  const names = await labelNamesOf(change.tx, tenant_id, [thread])
  const seq = change.append(event, thread.inbox_id, threadRecord(thread, names))
  await change.tx
    .updateTable('threads')
    .set({ ...values, seq })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute()
  await saveThreadLabels(change.tx, tenant_id, [{ ...thread, seq }])
  return { ...thread, seq }
}

/** Deletes the label rows of threads. */
export async function dropThreadLabels(
  tx: Transaction<Database>,
  tenantId: string,
  threadIds: readonly string[],
): Promise<void> {
  if (threadIds.length === 0) return
  await tx
    .deleteFrom('thread_labels')
    .where('tenant_id', '=', tenantId)
    .where('thread_id', 'in', threadIds)
    .execute()
}

/** Writes the label rows of threads, with their position in lists. */
export async function saveThreadLabels(
  tx: Transaction<Database>,
  tenantId: string,
  threads: readonly Pick<ThreadRow, 'id' | 'label_ids' | 'seq'>[],
): Promise<void> {
  await dropThreadLabels(
    tx,
    tenantId,
    threads.map(({ id }) => id),
  )
  const rows = threads.flatMap(({ id, label_ids, seq }) =>
    (JSON.parse(label_ids) as string[]).map((label_id) => ({
      tenant_id: tenantId,
      thread_id: id,
      label_id,
      seq,
    })),
  )
  if (rows.length > 0) await tx.insertInto('thread_labels').values(rows).execute()
}
