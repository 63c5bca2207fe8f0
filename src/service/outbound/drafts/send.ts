import { isServiceError } from '../../../protocol/errors/error'
import type { SendResult } from '../../../protocol/records/message'
import { accountRow, requireManaging, requireSending } from '../../accounts/account'
import type { Scope } from '../../accounts/keys'
import { refuse } from '../../base/refuse'
import { senderColumn, storedSender } from '../../base/sender'
import { now } from '../../base/time'
import { inboxRow } from '../../inboxes/inboxes'
import { audit } from '../../log/audit'
import { changeAccount } from '../../log/change'
import type { ChangeContext } from '../../log/registry'
import { messageRow } from '../../messages/messages'
import type { OutboundPorts } from '../delivery/ports'
import { openStored } from '../submit/attached-files'
import {
  type DraftRow,
  draftFiles,
  draftFilesWithBytes,
  draftRecord,
  draftRow,
  headersOf,
} from '../submit/draft-records'
import { commitSend, composeOutgoing, type Outgoing, requireAdmittedBefore } from '../submit/outgoing'
import { readRecipients, readReplyTo } from '../submit/recipients'
import {
  findReplay,
  type IdempotencyKey,
  idempotencyKeyOf,
  type Replayable,
  redirectSend,
  type SendAnswer,
  sentAs,
} from '../submit/sends'
import {
  draftChanged,
  draftSender,
  draftSent,
  emptyFiles,
  requireUnchanged,
  reschedule,
  saveDraft,
} from './changes'
import { recipientFieldsOf, requireComplete } from './content'
import { contextAfter, contextOf, type GivenContext } from './context'

/** Finds the result of a draft that was sent; null if it was not. @throws ServiceError `draft_sent` */
export async function sentBefore(
  db: OutboundPorts['store']['db'],
  row: DraftRow,
): Promise<SendResult | null> {
  if (row.sent_message_id === null) return null
  const sent = await sentAs(db, row.tenant_id, row.sent_message_id)
  if (!sent) throw draftSent(row)
  return sent
}

/** Checks that the draft was not changed or sent since the message was composed. */
async function guardDraft(change: ChangeContext, scope: Scope, row: DraftRow): Promise<SendResult | null> {
  const current = await draftRow(change.tx, scope, row.id)
  const sent = await sentBefore(change.tx, current)
  if (!sent && current.seq !== row.seq) throw draftChanged(row)
  return sent
}

/** Writes an approval that sends a draft at once; one for later was written when it was given. */
async function auditApproval(
  change: ChangeContext,
  scope: Scope,
  row: DraftRow,
  { id }: SendResult,
): Promise<void> {
  const { approved_by } = await draftRow(change.tx, scope, row.id)
  if (row.approved_by === null || row.approved_by === approved_by) return
  const by = storedSender(row.approved_by)
  await audit(change, { action: 'draft.approved', by, target: row.id, details: { message_id: id } })
}

/** Marks a draft as sent; its content is now in the message. */
async function settleDraft(
  ports: OutboundPorts,
  scope: Scope,
  change: ChangeContext,
  row: DraftRow,
  sent: SendResult,
): Promise<void> {
  await auditApproval(change, scope, row, sent)
  const job_id = await reschedule(ports, change, row, null)
  await emptyFiles(change, row)
  await redirectSend(change.tx, row, sent.id)
  const values = { status: 'sent', sent_message_id: sent.id, thread_id: sent.thread_id, job_id, error: null }
  await saveDraft(change, row, values, 'draft.sent')
}

async function outgoingOf(ports: OutboundPorts, scope: Scope, row: DraftRow): Promise<Outgoing> {
  const { reply_to_message_id, expect_last_message_id: expectLast } = row
  const [sentBy, approvedBy] = [storedSender(row.sent_by), storedSender(row.approved_by)]
  const parent =
    reply_to_message_id === null ? undefined : await messageRow(ports, scope, reply_to_message_id)
  const inbox = await inboxRow(ports, scope, row.inbox_id)
  // A person's reply of this moment counts.
  if (expectLast !== null && inbox.connection_id !== null) await ports.sentElsewhere.look(inbox.connection_id)
  return {
    inbox,
    ...(expectLast !== null && { expectLast }),
    recipients: readRecipients(recipientFieldsOf(row)),
    subject: row.subject,
    ...{ sentBy, approvedBy, parent },
    forwardedId: row.forward_message_id ?? undefined,
    isSuggestion: row.suggested === 1,
    isAutomatic: row.allow_auto_reply === 0 && !approvedBy && sentBy?.kind !== 'operator',
    guard: (change) => guardDraft(change, scope, row),
    settle: (change, sent) => settleDraft(ports, scope, change, row, sent),
  }
}

/**
 * Sends a draft as in this row: message, draft, job and events in one transaction, or nothing if the draft
 * has changed. Repeated calls send one message.
 *
 * @throws ServiceError `draft_changed`, `draft_incomplete`, and those of sending a message
 */
export async function sendDraftRow(
  ports: OutboundPorts,
  scope: Scope,
  row: DraftRow,
  idempotencyKey: IdempotencyKey | null = null,
): Promise<SendAnswer> {
  const sent = await sentBefore(ports.store.db, row)
  if (sent) return sent
  const account = await accountRow(ports, scope.tenantId)
  requireSending(account, now(ports))
  const files = await draftFilesWithBytes(ports.store.db, row)
  requireComplete(row, files.length)
  const outgoing = await outgoingOf(ports, scope, row)
  if (row.body_html !== null) await requireAdmittedBefore(ports, account, outgoing)
  const content = {
    text: row.body_text ?? undefined,
    html: row.body_html ?? undefined,
    headers: headersOf(row),
    replyTo: readReplyTo(JSON.parse(row.reply_to)),
    files: await openStored(ports, files),
  }
  return commitSend(ports, outgoing, await composeOutgoing(ports, outgoing, content), idempotencyKey)
}

/** Refuses a draft that waits for an operator's decision, or was rejected. */
function requireUndecided({ id, status }: DraftRow): void {
  if (status === 'pending_approval')
    throw refuse(
      'approval_pending',
      `The draft ${id} waits until an operator approves or rejects it (restante approvals, or the console). GET /drafts/${id} returns the result. A change makes it a draft again.`,
    )
  if (status === 'rejected')
    throw refuse('draft_rejected', `An operator rejected the draft ${id}. Change it, then send it again.`)
}

interface DraftSend extends Replayable, GivenContext {
  id: string
  /** Required `seq` of the draft, unless it was sent, or waits for an operator or its time. */
  expect_seq?: number | undefined
}

/** Statuses of a draft that need no approval request: it has one, or sends itself. */
const askedFor: ReadonlySet<string> = new Set(['pending_approval', 'scheduled'])

/**
 * Asks an operator to approve a draft; repeating it has no effect, even once it is approved and waits for its
 * time.
 */
async function askApproval(
  ports: OutboundPorts,
  scope: Scope,
  { id, expect_seq, ...request }: DraftSend,
): Promise<SendAnswer> {
  const seen = await draftRow(ports.store.db, scope, id)
  const given = await contextOf(ports, scope, request)
  const files = await draftFiles(ports.store.db, seen)
  return changeAccount(ports, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    const row = await draftRow(change.tx, scope, id)
    const sent = await sentBefore(change.tx, row)
    if (sent) return sent
    if (askedFor.has(row.status)) return draftRecord(row)
    requireUndecided(row)
    requireUnchanged(row, expect_seq)
    if (row.seq !== seen.seq) throw draftChanged(row)
    requireComplete(row, files.length)
    const job_id = await reschedule(ports, change, row, null)
    const context = contextAfter(row, given, true)
    return draftRecord(
      await saveDraft(change, row, {
        ...{ ...context, status: 'pending_approval', job_id, error: null },
        sent_by: draftSender(scope, request.consumer, row.sent_by),
      }),
    )
  })
}

type Senders = Pick<DraftRow, 'sent_by' | 'approved_by'>

/** Returns who sends a draft now. An operator who sends the suggestion of an agent approves it. */
function sendersOf(scope: Scope, { consumer }: DraftSend, row: DraftRow): Senders {
  if (row.suggested === 1 && scope.sender?.kind === 'operator')
    return { sent_by: row.sent_by, approved_by: senderColumn(scope.sender) }
  return { sent_by: draftSender(scope, consumer, row.sent_by), approved_by: row.approved_by }
}

/** Returns whether agents only suggest in the inbox of a draft that continues a conversation. */
export async function isForPeople(ports: OutboundPorts, scope: Scope, row: DraftRow): Promise<boolean> {
  const author = scope.sender ?? storedSender(row.sent_by)
  if (author?.kind === 'operator' || row.approved_by !== null || row.sent_message_id !== null) return false
  if (row.reply_to_message_id === null && row.forward_message_id === null) return false
  return (await inboxRow(ports, scope, row.inbox_id)).agent === 'suggests'
}

/** Leaves a draft to people, as a suggestion of its agent. */
const suggestDraft = (
  ports: OutboundPorts,
  scope: Scope,
  { id }: DraftRow,
  { sent_by }: Senders,
): Promise<SendAnswer> =>
  changeAccount(ports, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    const row = await draftRow(change.tx, scope, id)
    const sent = await sentBefore(change.tx, row)
    if (sent) return sent
    if (row.suggested === 1) return draftRecord(row)
    const job_id = await reschedule(ports, change, row, null)
    const state = { status: 'draft', suggested: 1, scheduled_at: null, job_id, sent_by }
    // People see what came meanwhile.
    return draftRecord(await saveDraft(change, row, { ...state, expect_last_message_id: null }))
  })

/** Maximum tries to send a draft that keeps changing. */
const maxAttempts = 5

/** Repeats work if the draft was changed meanwhile. */
async function whileChanging<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === maxAttempts || !isServiceError(error, 'draft_changed')) throw error
    }
  }
}

/**
 * Sends a draft once: repeating it returns the first result. A key that may not send asks an operator
 * instead, and gets the draft as `pending_approval`; or unchanged as `scheduled`, if it sends itself.
 *
 * @throws ServiceError `draft_incomplete`, `approval_pending`, `draft_rejected`, `client_id_conflict`,
 * `draft_changed`, and those of sending a message
 */
export async function sendDraft(ports: OutboundPorts, scope: Scope, request: DraftSend): Promise<SendAnswer> {
  // The context is not part of the message.
  const { read_message_ids: _read, approval_reason: _reason, ...asked } = request
  const idempotencyKey = idempotencyKeyOf('draft', asked, scope)
  const replayed = idempotencyKey && (await findReplay(ports.store.db, scope.tenantId, idempotencyKey))
  if (replayed) return replayed
  requireManaging(await accountRow(ports, scope.tenantId), now(ports))
  const send = async () => {
    if (!scope.scopes.includes('send')) return askApproval(ports, scope, request)
    const row = await draftRow(ports.store.db, scope, request.id)
    requireUndecided(row)
    // A sent draft returns its first result, whatever `seq` was expected.
    if (row.sent_message_id === null) requireUnchanged(row, request.expect_seq)
    const senders = sendersOf(scope, request, row)
    if (await isForPeople(ports, scope, row)) return suggestDraft(ports, scope, row, senders)
    try {
      return await sendDraftRow(ports, scope, { ...row, ...senders }, idempotencyKey)
    } catch (error) {
      if (request.when_held !== 'draft' || !isServiceError(error, 'thread_held')) throw error
      return suggestDraft(ports, scope, row, senders)
    }
  }
  // A caller that expects one state gets no other.
  return request.expect_seq === undefined ? whileChanging(send) : send()
}
