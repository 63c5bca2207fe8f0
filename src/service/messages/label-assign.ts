import { type SystemLabelId, systemLabelOf } from '../../protocol/records/label-names'
import type { MessageSummary } from '../../protocol/records/message'
import { requireManaging } from '../accounts/account'
import type { Scope } from '../accounts/keys'
import { narrowSenders } from '../base/sender'
import { changeAccount } from '../log/change'
import type { ChangeContext } from '../log/registry'
import { labelNamesOf } from './label-names'
import { labelRow } from './labels'
import { withLabel } from './message-filters'
import { attachmentsOf, messageRowIn } from './messages'
import type { MessagePorts } from './ports'
import { type MessageRow, summaryRecord, type ThreadRow, withReplyText } from './records'
import { isOfMessagesOnly } from './system-labels'
import { saveThread } from './thread-refresh'
import { threadRowIn } from './threads'

/** Label and the message that it is assigned to or removed from. */
interface Assignment {
  id: string
  message_id: string
}

async function recordOf({ tx, account }: ChangeContext, row: MessageRow): Promise<MessageSummary> {
  const attachments = await attachmentsOf(tx, account.tenant_id, [row.id])
  const names = await labelNamesOf(tx, account.tenant_id, [row])
  return summaryRecord(withReplyText(row), attachments.get(row.id) ?? [], names, true)
}

const idsOf = ({ label_ids }: { label_ids: string }) => JSON.parse(label_ids) as string[]
const withId = (ids: string[], id: string) => JSON.stringify([...new Set([...ids, id])].sort())
const withoutId = (ids: string[], id: string) => JSON.stringify(ids.filter((one) => one !== id))

/** Stores the labels of a message, with an event. */
async function saveLabels(
  change: ChangeContext,
  before: MessageRow,
  label_ids: string,
  type: 'label.assigned' | 'label.unassigned',
): Promise<MessageSummary> {
  const row = { ...before, label_ids }
  await change.tell('labelled', { message: row, before: idsOf(before), after: idsOf(row) })
  const record = await recordOf(change, row)
  const seq = change.append(type, row.inbox_id, record)
  await change.tx
    .updateTable('messages')
    .set({ label_ids: row.label_ids, seq })
    .where('tenant_id', '=', row.tenant_id)
    .where('id', '=', row.id)
    .execute()
  return { ...record, seq }
}

async function addToThread(change: ChangeContext, scope: Scope, row: MessageRow, id: string): Promise<void> {
  const thread = await threadRowIn(change.tx, scope, row.thread_id)
  const ids = idsOf(thread)
  if (!ids.includes(id)) await saveThread(change, { ...thread, label_ids: withId(ids, id) })
}

async function removeFromThread(
  change: ChangeContext,
  scope: Scope,
  row: MessageRow,
  id: string,
): Promise<void> {
  const other = await change.tx
    .selectFrom('message_labels')
    .innerJoin('messages', (join) =>
      join
        .onRef('messages.tenant_id', '=', 'message_labels.tenant_id')
        .onRef('messages.id', '=', 'message_labels.message_id'),
    )
    .select('messages.id')
    .where('message_labels.tenant_id', '=', row.tenant_id)
    .where('message_labels.label_id', '=', id)
    .where('messages.thread_id', '=', row.thread_id)
    .limit(1)
    .executeTakeFirst()
  if (other) return
  const thread = await threadRowIn(change.tx, scope, row.thread_id)
  await saveThread(change, { ...thread, label_ids: withoutId(idsOf(thread), id) })
}

/**
 * Changes the labels of a message; the label and the message must exist. The thread's event comes before the
 * message's, as it does everywhere.
 */
function changeAssignment(
  ports: MessagePorts,
  scope: Scope,
  { id, message_id }: Assignment,
  work: (change: ChangeContext, row: MessageRow) => Promise<MessageSummary>,
): Promise<MessageSummary> {
  return changeAccount(ports, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    if (systemLabelOf(id) !== id) await labelRow(change.tx, scope, id)
    return narrowSenders(await work(change, await messageRowIn(change.tx, scope, message_id)), scope)
  })
}

/** Assigns a label to a message. @throws ServiceError `not_found`, `claim_required` */
export async function assignLabel(
  ports: MessagePorts,
  scope: Scope,
  request: Assignment,
): Promise<MessageSummary> {
  const { id } = request
  return changeAssignment(ports, scope, request, async (change, row) => {
    if (idsOf(row).includes(id)) return recordOf(change, row)
    if (!isOfMessagesOnly(id)) {
      const { tenant_id, created_seq } = row
      const assigned = { tenant_id, label_id: id, message_id: row.id, created_seq, assigned_at: change.now }
      await change.tx.insertInto('message_labels').values(assigned).execute()
      await addToThread(change, scope, row, id)
    }
    return saveLabels(change, row, withId(idsOf(row), id), 'label.assigned')
  })
}

/** Removes a label from a message. @throws ServiceError `not_found`, `claim_required` */
export async function unassignLabel(
  ports: MessagePorts,
  scope: Scope,
  request: Assignment,
): Promise<MessageSummary> {
  const { id } = request
  return changeAssignment(ports, scope, request, async (change, row) => {
    if (!idsOf(row).includes(id)) return recordOf(change, row)
    if (!isOfMessagesOnly(id)) {
      await change.tx
        .deleteFrom('message_labels')
        .where('tenant_id', '=', row.tenant_id)
        .where('label_id', '=', id)
        .where('message_id', '=', row.id)
        .execute()
      await removeFromThread(change, scope, row, id)
    }
    return saveLabels(change, row, withoutId(idsOf(row), id), 'label.unassigned')
  })
}

/** Messages whose labels one change of a thread changes. */
const maxRelabelled = 1_000

/** Returns the ids of the newest messages of a thread that have a label, or lack it. */
async function messagesToRelabel(
  { tx }: ChangeContext,
  { tenant_id, id }: ThreadRow,
  label: LabelOfThreads,
  isAssigned: boolean,
): Promise<string[]> {
  const rows = await tx
    .selectFrom('messages')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('thread_id', '=', id)
    .where(({ not }) => (isAssigned ? not(withLabel(label)) : withLabel(label)))
    .orderBy('created_seq', 'desc')
    .limit(maxRelabelled)
    .execute()
  return rows.map((row) => row.id)
}

/** Label of the service that threads have too. */
type LabelOfThreads = Exclude<SystemLabelId, 'unread'>

/**
 * Assigns a label to the messages of a thread, or removes it from them: the newest 1,000 that differ. The
 * event of the thread comes first.
 */
export async function relabelThread(
  change: ChangeContext,
  thread: ThreadRow,
  label: LabelOfThreads,
  isAssigned: boolean,
): Promise<ThreadRow> {
  const { tx, now } = change
  const ids = await messagesToRelabel(change, thread, label, isAssigned)
  const scope = { tenantId: thread.tenant_id, inboxId: null, keyId: '', scopes: [] }
  const has = idsOf(thread).includes(label)
  const isLeft = !isAssigned && ids.length === maxRelabelled
  const label_ids = isAssigned ? withId(idsOf(thread), label) : withoutId(idsOf(thread), label)
  const saved = has === isAssigned || isLeft ? thread : await saveThread(change, { ...thread, label_ids })
  for (const message_id of ids) {
    // One at a time: a row has the whole text.
    const row = await messageRowIn(tx, scope, message_id)
    const { tenant_id, created_seq } = row
    if (isAssigned)
      await tx
        .insertInto('message_labels')
        .values({ tenant_id, label_id: label, message_id, created_seq, assigned_at: now })
        .execute()
    else
      await tx
        .deleteFrom('message_labels')
        .where('tenant_id', '=', tenant_id)
        .where('label_id', '=', label)
        .where('message_id', '=', message_id)
        .execute()
    const after = isAssigned ? withId(idsOf(row), label) : withoutId(idsOf(row), label)
    await saveLabels(change, row, after, isAssigned ? 'label.assigned' : 'label.unassigned')
  }
  return saved
}
