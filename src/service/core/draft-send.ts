import { isServiceError } from '../../protocol/error'
import type { SendResult } from '../../protocol/message'
import { accountRow, requireManaging, requireSending } from './account'
import { openStored } from './attached-files'
import { type Change, changeAccount } from './change'
import { type Core, now } from './context'
import { draftChanged, draftSent, emptyFiles, reschedule, saveDraft } from './draft-changes'
import { recipientFieldsOf, requireComplete } from './draft-content'
import {
  type DraftRow,
  draftFiles,
  draftFilesWithBytes,
  draftRecord,
  draftRow,
  headersOf,
} from './draft-records'
import { inboxRow } from './inboxes'
import type { Scope } from './keys'
import { messageRow } from './messages'
import { commitSend, composeOutgoing, type Outgoing } from './outgoing'
import { readRecipients } from './recipients'
import { refuse } from './refuse'
import {
  claimOf,
  findReplay,
  type Replayable,
  redirectSend,
  type SendAnswer,
  type SendClaim,
  sentAs,
} from './sends'

/** What a draft led to when it was sent before; null where it was not. @throws ServiceError `draft_sent` */
async function sentBefore(db: Core['store']['db'], row: DraftRow): Promise<SendResult | null> {
  if (row.sent_message_id === null) return null
  const sent = await sentAs(db, row.tenant_id, row.sent_message_id)
  if (!sent) throw draftSent(row)
  return sent
}

/** The draft is what it was when the mail was written; nobody has sent it meanwhile. */
async function guardDraft(change: Change, scope: Scope, row: DraftRow): Promise<SendResult | null> {
  const current = await draftRow(change.tx, scope, row.id)
  const sent = await sentBefore(change.tx, current)
  if (!sent && current.seq !== row.seq) throw draftChanged(row)
  return sent
}

/** The message has the content from now on. */
async function settleDraft(core: Core, change: Change, row: DraftRow, sent: SendResult): Promise<void> {
  const job_id = await reschedule(core, change, row, null)
  await emptyFiles(change, row)
  await redirectSend(change.tx, row, sent.id)
  const values = { status: 'sent', sent_message_id: sent.id, thread_id: sent.thread_id, job_id, error: null }
  await saveDraft(change, row, values, 'draft.sent')
}

async function outgoingOf(core: Core, scope: Scope, row: DraftRow): Promise<Outgoing> {
  const { reply_to_message_id } = row
  return {
    inbox: await inboxRow(core, scope, row.inbox_id),
    recipients: readRecipients(recipientFieldsOf(row)),
    subject: row.subject,
    parent: reply_to_message_id === null ? undefined : await messageRow(core, scope, reply_to_message_id),
    guard: (change) => guardDraft(change, scope, row),
    settle: (change, sent) => settleDraft(core, change, row, sent),
  }
}

/**
 * Sends a draft as it is in this row: message, draft, job and events in one transaction, or nothing where the
 * draft is no longer this. However often and from wherever it is called, one mail leaves.
 *
 * @throws ServiceError `draft_changed`, `draft_incomplete`, and those of sending a message
 */
export async function sendDraftRow(
  core: Core,
  scope: Scope,
  row: DraftRow,
  claim: SendClaim | null = null,
): Promise<SendAnswer> {
  const sent = await sentBefore(core.store.db, row)
  if (sent) return sent
  requireSending(await accountRow(core, scope.tenantId), now(core))
  const files = await draftFilesWithBytes(core.store.db, row)
  requireComplete(row, files.length)
  const outgoing = await outgoingOf(core, scope, row)
  const content = {
    text: row.body_text ?? undefined,
    html: row.body_html ?? undefined,
    headers: headersOf(row),
    files: await openStored(core, files),
  }
  return commitSend(core, outgoing, await composeOutgoing(core, outgoing, content), claim)
}

/** No key decides in the place of an operator. */
function requireUndecided({ id, status }: DraftRow): void {
  if (status === 'pending_approval')
    throw refuse(
      'approval_pending',
      `The draft ${id} waits for an operator, who approves it in the console; a change makes it a draft again.`,
    )
  if (status === 'rejected')
    throw refuse('draft_rejected', `An operator rejected the draft ${id}: change it, then send it anew.`)
}

/** Asks an operator to approve a draft; asking again changes nothing. */
async function askApproval(core: Core, scope: Scope, id: string): Promise<SendAnswer> {
  const seen = await draftRow(core.store.db, scope, id)
  const files = await draftFiles(core.store.db, seen)
  return changeAccount(core, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    const row = await draftRow(change.tx, scope, id)
    const sent = await sentBefore(change.tx, row)
    if (sent) return sent
    if (row.status === 'pending_approval') return draftRecord(row)
    requireUndecided(row)
    if (row.seq !== seen.seq) throw draftChanged(row)
    requireComplete(row, files.length)
    const job_id = await reschedule(core, change, row, null)
    return draftRecord(await saveDraft(change, row, { status: 'pending_approval', job_id, error: null }))
  })
}

/** A draft that changes again and again is somebody's business. */
const mostAttempts = 5

/** Does it once more where the draft was changed meanwhile. */
async function whileChanging<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === mostAttempts || !isServiceError(error, 'draft_changed')) throw error
    }
  }
}

/**
 * Sends a draft, once: doing it again answers the first result. A key that may not send asks an operator
 * instead, and is given the draft, `pending_approval`.
 *
 * @throws ServiceError `draft_incomplete`, `approval_pending`, `draft_rejected`, `client_id_conflict`,
 * `draft_changed`, and those of sending a message
 */
export async function sendDraft(
  core: Core,
  scope: Scope,
  request: Replayable & { id: string },
): Promise<SendAnswer> {
  const claim = claimOf('draft', request, scope)
  const replayed = claim && (await findReplay(core.store.db, scope.tenantId, claim))
  if (replayed) return replayed
  requireManaging(await accountRow(core, scope.tenantId), now(core))
  return whileChanging(async () => {
    if (!scope.scopes.includes('send')) return askApproval(core, scope, request.id)
    const row = await draftRow(core.store.db, scope, request.id)
    requireUndecided(row)
    return sendDraftRow(core, scope, row, claim)
  })
}
