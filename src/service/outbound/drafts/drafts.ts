import { sql } from 'kysely'
import type { Draft, DraftBody, DraftChanges, DraftWithContent } from '../../../protocol/records/draft'
import { accountRow, requireManaging, requireReader } from '../../accounts/account'
import type { Caller, Scope } from '../../accounts/keys'
import { decodeCursor, pageOf } from '../../base/cursor'
import { newId } from '../../base/ids'
import { refuse } from '../../base/refuse'
import { type StoredSender, senderColumn } from '../../base/sender'
import { now } from '../../base/time'
import { hasInboxIn, inboxRow, inboxRowIn } from '../../inboxes/inboxes'
import { changeAccount } from '../../log/change'
import type { ChangeContext } from '../../log/registry'
import type { OutboundPorts } from '../delivery/ports'
import { type StoredFile, storeFiles } from '../submit/attached-files'
import {
  type DraftRow,
  draftFiles,
  draftRecord,
  draftRow,
  draftWithContentRecord,
} from '../submit/draft-records'
import { requireAnswerable } from '../submit/loop-guard'
import { fromMarkdown } from '../submit/markdown'
import { ownAddresses } from '../submit/recipients'
import { senderWithRun } from '../submit/run'
import { findDraft, idempotencyKeyOf, recordSend } from '../submit/sends'
import {
  draftChanged,
  draftSender,
  draftSent,
  removeDraft,
  replaceFiles,
  requireUnchanged,
  reschedule,
  saveContext,
  saveDraft,
  statusFor,
} from './changes'
import {
  contentAfter,
  type DraftContent,
  isComplete,
  isSameContent,
  repliedTo,
  requireNoForward,
  withForwarded,
  withQuotation,
} from './content'
import { contextAfter, contextOf, type DraftContext, noContext } from './context'

const list = 'drafts'

interface DraftQuery {
  inbox_id?: string | undefined
  status?: string | undefined
  thread_id?: string | undefined
  suggestion?: boolean | undefined
  limit: number
  cursor?: string | undefined
}

/** Condition that a draft is of this thread, or a waiting suggestion that forwards one of its messages. */
const isAbout = (tenantId: string, threadId: string) => sql<boolean>`drafts.id in (
  select id from drafts where tenant_id = ${tenantId} and thread_id = ${threadId}
  union all select drafts.id from drafts join messages
    on messages.tenant_id = ${tenantId} and messages.id = drafts.forward_message_id
  where drafts.tenant_id = ${tenantId} and drafts.suggested = 1 and drafts.status = 'draft'
  and drafts.thread_id is null
  and messages.thread_id = ${threadId})`

/** Lists the drafts that the key reaches, newest first. */
export async function listDrafts(ports: OutboundPorts, scope: Caller, query: DraftQuery) {
  requireReader(ports, scope)
  let select = ports.store.db
    .selectFrom('drafts')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where(hasInboxIn('drafts', scope))
    // An expression instead of the column: otherwise SQLite would read all drafts in this order.
    .orderBy(query.thread_id === undefined ? 'created_seq' : sql`created_seq + 0`, 'desc')
    .limit(query.limit + 1)
  if (scope.inboxId) select = select.where('inbox_id', '=', scope.inboxId)
  if (query.inbox_id !== undefined) select = select.where('inbox_id', '=', query.inbox_id)
  if (query.status !== undefined) select = select.where('status', '=', query.status)
  if (query.thread_id !== undefined) select = select.where(isAbout(scope.tenantId, query.thread_id))
  if (query.suggestion !== undefined) select = select.where('suggested', '=', query.suggestion ? 1 : 0)
  if (query.cursor !== undefined) select = select.where('created_seq', '<', decodeCursor(list, query.cursor))
  const { page, next_cursor } = pageOf(list, await select.execute(), query.limit, (row) => row.created_seq)
  return { drafts: page.map(draftRecord), next_cursor }
}

/** @throws ServiceError `not_found`, `account_expired` */
export async function readDraft(
  ports: OutboundPorts,
  scope: Caller,
  { id, include }: { id: string; include?: 'content' | undefined },
): Promise<DraftWithContent> {
  requireReader(ports, scope)
  const row = await draftRow(ports.store.db, scope, id)
  return include ? draftWithContentRecord(row, await draftFiles(ports.store.db, row)) : draftRecord(row)
}

async function insertDraft(
  change: ChangeContext,
  row: Omit<DraftRow, 'created_at' | 'updated_at' | 'created_seq' | 'seq'>,
): Promise<DraftRow> {
  const made = { ...row, created_at: change.now, updated_at: change.now, created_seq: 0, seq: 0 }
  const seq = change.append('draft.created', row.inbox_id, draftRecord(made))
  const placed = { ...made, created_seq: seq, seq }
  await change.tx.insertInto('drafts').values(placed).execute()
  return placed
}

/** Parts of a new draft. */
interface NewDraft {
  inboxId: string
  content: DraftContent
  files: readonly StoredFile[]
  /** ISO 8601, or null. */
  scheduledAt: string | null
  sentBy: StoredSender | null
  context?: DraftContext
  /** True if an agent suggests it to people. */
  isSuggestion?: boolean
  /** Set if the writer allowed an answer to an automatic message. */
  allowAutoReply?: boolean | undefined
  /** Message that must be the newest of the thread when it is sent. */
  expectLast?: string | undefined
}

/** Inserts a draft with its files and the job that sends it at its time. */
export async function addDraft(
  ports: OutboundPorts,
  scope: Scope,
  change: ChangeContext,
  made: NewDraft,
): Promise<Draft> {
  const { inboxId, content, files, scheduledAt: scheduled_at, sentBy, context = noContext } = made
  await inboxRowIn(change.tx, scope, inboxId)
  const status = statusFor(scope, scheduled_at, isComplete(content, files.length))
  const draft = { tenant_id: scope.tenantId, id: newId('drf', ports.clock.now()), job_id: null }
  const job_id = await reschedule(ports, change, draft, status === 'scheduled' ? scheduled_at : null)
  await replaceFiles(ports, change, draft, files)
  const state = { inbox_id: inboxId, status, scheduled_at, job_id, sent_message_id: null, error: null }
  const by = { author_key_id: scope.keyId || null, sent_by: senderColumn(sentBy), approved_by: null }
  const flags = { allow_auto_reply: made.allowAutoReply ? 1 : 0, suggested: made.isSuggestion ? 1 : 0 }
  const expected = { expect_last_message_id: made.expectLast ?? null }
  return draftRecord(
    await insertDraft(change, { ...draft, ...content, ...context, ...state, ...by, ...flags, ...expected }),
  )
}

/**
 * Creates a draft; only its inbox is needed. With a client_id it is created once.
 *
 * @throws ServiceError `claim_required`, `not_found` for an inbox, a message or an upload, `invalid_request`,
 * `message_too_large`, `storage_limit_reached`, `client_id_conflict`, `automatic_mail`
 */
export async function createDraft(
  ports: OutboundPorts,
  scope: Scope,
  { read_message_ids, approval_reason, ...given }: DraftBody,
): Promise<Draft> {
  const idempotencyKey = idempotencyKeyOf('create-draft', given, scope)
  const written = idempotencyKey && (await findDraft(ports.store.db, scope.tenantId, idempotencyKey))
  if (written) return written
  requireManaging(await accountRow(ports, scope.tenantId), now(ports))
  const inbox = await inboxRow(ports, scope, given.inbox_id)
  const parent = await repliedTo(ports, scope, inbox.id, given.reply_to_message_id)
  if (parent && !given.allow_auto_reply) requireAnswerable(parent)
  const ours = parent ? await ownAddresses(ports.store.db, parent) : []
  const converted = await fromMarkdown(ports, given)
  const { request, before, files: forwarded } = await withForwarded(ports, scope, inbox.id, converted)
  const quoting = await withQuotation(ports, scope, request, parent)
  const content = contentAfter(before, quoting, parent, inbox, ours)
  const files = await storeFiles(ports, scope, request.attachments ?? [], forwarded)
  const context = await contextOf(ports, scope, { read_message_ids, approval_reason })
  const run = { messages_read: read_message_ids?.length, ...given }
  const sentBy = await senderWithRun(ports, scope, run, parent?.id ?? given.forward_message_id)
  return changeAccount(ports, scope.tenantId, async (change) => {
    const replayed = idempotencyKey && (await findDraft(change.tx, scope.tenantId, idempotencyKey))
    if (replayed) return replayed
    requireManaging(change.account, change.now)
    const scheduledAt = request.scheduled_at ?? null
    const made = { inboxId: inbox.id, content, files, scheduledAt, context, sentBy }
    const { allow_auto_reply: allowAutoReply, expect_last_message_id: expectLast } = request
    const draft = await addDraft(ports, scope, change, { ...made, allowAutoReply, expectLast })
    if (idempotencyKey) await recordSend(change.tx, scope.tenantId, idempotencyKey, { draftId: draft.id })
    return draft
  })
}

/**
 * Returns the author after a change. If a second writer changes a draft, a first one without `read` can no
 * longer send it.
 */
const authorAfter = ({ author_key_id, sent_by }: DraftRow, scope: Scope) => ({
  author_key_id: author_key_id === scope.keyId ? author_key_id : null,
  sent_by: draftSender(scope, undefined, sent_by),
  approved_by: null,
})

const saysNothing = (request: object) => Object.values(request).every((value) => value === undefined)

/**
 * Returns the time that stays without a requested one: failed and rejected drafts do not restart by
 * themselves.
 */
const keptTime = ({ status, scheduled_at }: DraftRow) =>
  status === 'failed' || status === 'rejected' ? null : scheduled_at

/**
 * Returns the message that must be the newest of the thread after a change. A draft that is no longer a reply
 * expects none.
 *
 * @throws ServiceError `invalid_request`
 */
function expectLastAfter(
  { expect_last_message_id: before }: DraftRow,
  { expect_last_message_id: wanted = before }: DraftChanges,
  { reply_to_message_id }: DraftContent,
): string | null {
  if (reply_to_message_id !== null || wanted === null) return wanted
  if (wanted === before) return null
  const problem = 'needs reply_to_message_id: the draft is no reply'
  throw refuse('invalid_request', `The body is not valid: expect_last_message_id ${problem}.`, [
    { field: 'expect_last_message_id', problem },
  ])
}

/**
 * Changes a draft. An approved, rejected or failed draft becomes a draft again, or scheduled.
 *
 * @throws ServiceError `draft_sent`, `draft_changed`, and those of {@link createDraft}
 */
export async function updateDraft(
  ports: OutboundPorts,
  scope: Scope,
  { id, expect_seq, read_message_ids, approval_reason, ...given }: DraftChanges & { id: string },
): Promise<Draft> {
  requireManaging(await accountRow(ports, scope.tenantId), now(ports))
  const seen = await draftRow(ports.store.db, scope, id)
  if (seen.status === 'sent') throw draftSent(seen)
  requireUnchanged(seen, expect_seq)
  requireNoForward(seen, given)
  const inbox = await inboxRow(ports, scope, seen.inbox_id)
  const kept = given.reply_all === undefined ? null : seen.reply_to_message_id
  const parentId = given.reply_to_message_id === undefined ? kept : given.reply_to_message_id
  const parent = await repliedTo(ports, scope, inbox.id, parentId)
  if (parent && given.reply_to_message_id && !given.allow_auto_reply) requireAnswerable(parent)
  const ours = parent ? await ownAddresses(ports.store.db, parent) : []
  const { reply_to_message_id: answeredId = seen.reply_to_message_id } = given
  const quoted = given.quote ? await repliedTo(ports, scope, inbox.id, answeredId) : null
  const request = await fromMarkdown(ports, given)
  const quoting = await withQuotation(ports, scope, request, quoted)
  const files = request.attachments && (await storeFiles(ports, scope, request.attachments))
  const givenContext = await contextOf(ports, scope, { read_message_ids, approval_reason })
  return changeAccount(ports, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    const row = await draftRow(change.tx, scope, id)
    if (row.status === 'sent') throw draftSent(row)
    requireUnchanged(row, expect_seq)
    const isKept = row.reply_to_message_id === seen.reply_to_message_id
    if (!isKept && (kept !== null || request.quote)) throw draftChanged(row)
    if (saysNothing(request)) {
      if (saysNothing({ read_message_ids, approval_reason })) return draftRecord(row)
      if (row.status === 'draft')
        return draftRecord(await saveContext(change, row, contextAfter(row, givenContext, true)))
    }
    const scheduled_at = request.scheduled_at === undefined ? keptTime(row) : request.scheduled_at
    const content = contentAfter(row, quoting, parent, inbox, ours)
    const { length } = files ?? (await draftFiles(change.tx, row))
    const status = statusFor(scope, scheduled_at, isComplete(content, length))
    const job_id = await reschedule(ports, change, row, status === 'scheduled' ? scheduled_at : null)
    if (files) await replaceFiles(ports, change, row, files)
    const context = contextAfter(row, givenContext, !files && isSameContent(row, content))
    const allow_auto_reply =
      given.allow_auto_reply === undefined ? row.allow_auto_reply : Number(given.allow_auto_reply)
    const flags = { allow_auto_reply, expect_last_message_id: expectLastAfter(row, given, content) }
    const state = { scheduled_at, status, job_id, error: null, ...flags, ...authorAfter(row, scope) }
    return draftRecord(await saveDraft(change, row, { ...content, ...context, ...state }))
  })
}

/**
 * Deletes a draft; the message that it was sent as stays.
 *
 * @throws ServiceError `not_found`, `claim_required`, `draft_changed`
 */
export async function deleteDraft(
  ports: OutboundPorts,
  scope: Scope,
  { id, expect_seq }: { id: string; expect_seq?: number | undefined },
): Promise<undefined> {
  requireManaging(await accountRow(ports, scope.tenantId), now(ports))
  return changeAccount(ports, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    const row = await draftRow(change.tx, scope, id)
    requireUnchanged(row, expect_seq)
    await removeDraft(ports, change, row)
    return undefined
  })
}
