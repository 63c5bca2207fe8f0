import { baseSubject } from '../../mail/subject'
import type { Change } from './change'
import { type LabelNames, labelNamesOf } from './label-names'
import { type ThreadRow, threadRecord } from './records'
import { saveThreadLabels } from './thread-labels'

const mostParticipants = 100

const readMembers = ({ tx, account }: Change, threadId: string) =>
  tx
    .selectFrom('messages')
    .select(['id', 'subject', 'preview', 'from_addr', 'to_addrs', 'cc_addrs', 'label_ids', 'created_at'])
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

/** The subject it had, where one of its messages still says so. */
const subjectOf = (thread: ThreadRow, members: readonly Member[]): string =>
  members.some(({ subject }) => baseSubject(subject) === baseSubject(thread.subject))
    ? thread.subject
    : members[0]!.subject

const unionOf = (members: readonly Member[], names: LabelNames): string => {
  const ids = new Set(members.flatMap(({ label_ids }) => JSON.parse(label_ids) as string[]))
  return JSON.stringify([...ids].filter((id) => names.has(id)).sort())
}

/** A thread as its messages make it; null where there are none. Nothing is written. */
export async function rebuiltThread(change: Change, thread: ThreadRow): Promise<ThreadRow | null> {
  const members = await readMembers(change, thread.id)
  const last = members.at(-1)
  if (!last) return null
  const names = await labelNamesOf(change.tx, change.account.tenant_id, members)
  return {
    ...thread,
    subject: subjectOf(thread, members),
    participants: JSON.stringify([...new Set(members.flatMap(addressesIn))].slice(0, mostParticipants)),
    message_count: members.length,
    last_message_id: last.id,
    last_message_at: last.created_at,
    preview: last.preview,
    label_ids: unionOf(members, names),
  }
}

/** Writes a thread that has changed, and tells of it. */
export async function saveThread(change: Change, thread: ThreadRow): Promise<void> {
  const { tenant_id, id, ...values } = thread
  const names = await labelNamesOf(change.tx, tenant_id, [thread])
  const seq = change.append('thread.updated', thread.inbox_id, threadRecord(thread, names))
  await change.tx
    .updateTable('threads')
    .set({ ...values, seq })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute()
  await saveThreadLabels(change.tx, tenant_id, [{ ...thread, seq }])
}
