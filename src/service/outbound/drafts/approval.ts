import type { Draft, WaitingDraft, WaitingDraftWithContent } from '../../../protocol/records/draft'
import { decodeIdCursor, pageOf } from '../../base/cursor'
import { notFound } from '../../base/refuse'
import { type StoredSender, senderColumn } from '../../base/sender'
import { inboxRow } from '../../inboxes/inboxes'
import { audit } from '../../log/audit'
import { changeAccount } from '../../log/change'
import type { LogPorts } from '../../log/ports'
import type { ChangeContext } from '../../log/registry'
import type { Store } from '../../store/store'
import type { OutboundPorts } from '../delivery/ports'
import {
  type DraftRow,
  draftFiles,
  draftRecord,
  draftRow,
  draftWithContentRecord,
} from '../submit/draft-records'
import { readRecipients } from '../submit/recipients'
import { requireAdmissible } from '../submit/send-check'
import { senderOf } from '../submit/sender'
import type { SendAnswer } from '../submit/sends'
import { type DraftJob, draftChanged, reschedule, saveDraft } from './changes'
import { recipientFieldsOf, requireComplete } from './content'
import { serviceScope } from './due'
import { sendDraftRow, sentBefore } from './send'

/** Decision of an operator on a draft exactly as shown, which `seq` identifies. */
export interface DraftDecision {
  tenantId: string
  id: string
  /** `seq` of the draft that the operator saw. */
  seq: number
}

const list = 'waiting'
const isAsked = (row: DraftRow, { seq }: DraftDecision): boolean =>
  row.status === 'pending_approval' && row.seq === seq

/** Selects the drafts of an account, or of all without one: the administrator may see all. */
function selectDrafts({ db }: Store, tenantId: string | undefined) {
  const all = db
    .selectFrom('drafts')
    .innerJoin('inboxes', (join) =>
      join.onRef('inboxes.tenant_id', '=', 'drafts.tenant_id').onRef('inboxes.id', '=', 'drafts.inbox_id'),
    )
    .selectAll('drafts')
    .select('inboxes.address as from_addr')
  return tenantId === undefined ? all : all.where('drafts.tenant_id', '=', tenantId)
}

/** Returns the facts of a draft that only operators see. */
const placeOf = ({ tenant_id, from_addr }: DraftRow & { from_addr: string }) => ({ tenant_id, from_addr })

/** Lists the drafts that wait for an operator, of one account or of all, oldest first. */
export async function listWaiting(
  { store }: Pick<LogPorts, 'store'>,
  tenantId: string | undefined,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ drafts: WaitingDraft[]; next_cursor: string | null }> {
  let query = selectDrafts(store, tenantId)
    .where('drafts.status', '=', 'pending_approval')
    .orderBy('drafts.id')
    .limit(limit + 1)
  if (cursor !== undefined) query = query.where('drafts.id', '>', decodeIdCursor(list, cursor))
  const { page, next_cursor } = pageOf(list, await query.execute(), limit, ({ id }) => id)
  const drafts = page.map((row) => {
    const [to, cc, bcc] = [row.to_addrs, row.cc_addrs, row.bcc_addrs].map((text) => JSON.parse(text))
    return { ...draftRecord(row), ...placeOf(row), to, cc, bcc }
  })
  return { drafts, next_cursor }
}

/** Reads a draft with its content, of one account or of any. @throws ServiceError `not_found` */
export async function readWaiting(
  { store }: Pick<LogPorts, 'store'>,
  tenantId: string | undefined,
  id: string,
): Promise<WaitingDraftWithContent> {
  const row = await selectDrafts(store, tenantId).where('drafts.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('draft', id)
  const content = draftWithContentRecord(row, await draftFiles(store.db, row))
  return { ...content, ...placeOf(row) } as WaitingDraftWithContent
}

/**
 * Approves a draft: it is sent now, or scheduled if its time is in the future. Only for operators, not for
 * keys.
 *
 * @throws ServiceError `draft_changed` if the draft is not what the operator saw, `not_found`, and those of
 * sending a message; then the draft keeps waiting
 */
export async function approveDraft(
  ports: OutboundPorts,
  decision: DraftDecision,
  approver: StoredSender,
): Promise<SendAnswer> {
  const scope = serviceScope(decision.tenantId)
  const row = await draftRow(ports.store.db, scope, decision.id)
  if (!isAsked(row, decision)) return scheduleApproved(ports, decision, approver)
  const { scheduled_at } = row
  if (scheduled_at === null || Date.parse(scheduled_at) <= ports.clock.now())
    return sendDraftRow(ports, scope, { ...row, approved_by: senderColumn(approver) })
  await senderOf(ports, await inboxRow(ports, scope, row.inbox_id))
  return scheduleApproved(ports, decision, approver)
}

/** Checks whether the draft is scheduled because of this very decision. */
async function isApproved({ tx }: ChangeContext, row: DraftRow, { seq }: DraftDecision): Promise<boolean> {
  if (row.status !== 'scheduled' || row.job_id === null) return false
  const job = await tx
    .selectFrom('jobs')
    .select('data')
    .where('tenant_id', '=', row.tenant_id)
    .where('id', '=', row.job_id)
    .executeTakeFirst()
  return job !== undefined && (JSON.parse(job.data) as DraftJob).approvedSeq === seq
}

const addressesOf = (row: DraftRow): string[] => {
  const { to, cc, bcc } = readRecipients(recipientFieldsOf(row))
  return [...to, ...cc, ...bcc].map(({ address }) => address)
}

/**
 * Approves a draft that the queue sends: at its time, or as soon as a service polls. For callers that cannot
 * send it, such as the command line beside services on PostgreSQL. Repeating it has no effect.
 *
 * @throws ServiceError `draft_changed` if the draft is not what the operator saw, `draft_incomplete`,
 * `not_found`, and those of {@link requireAdmissible}; then the draft keeps waiting
 */
export const scheduleApproved = (
  ports: LogPorts,
  decision: DraftDecision,
  approver: StoredSender,
): Promise<SendAnswer> =>
  changeAccount(ports, decision.tenantId, async (change) => {
    const row = await draftRow(change.tx, serviceScope(decision.tenantId), decision.id)
    const sent = await sentBefore(change.tx, row)
    if (sent) return sent
    if (await isApproved(change, row, decision)) return draftRecord(row)
    if (!isAsked(row, decision)) throw draftChanged(row)
    requireComplete(row, (await draftFiles(change.tx, row)).length)
    await requireAdmissible(change, addressesOf(row))
    const { scheduled_at: wanted } = row
    const scheduled_at = wanted !== null && wanted > change.now ? wanted : change.now
    const job_id = await reschedule(ports, change, row, scheduled_at, row.seq)
    const approved_by = senderColumn(approver)
    await audit(change, { action: 'draft.approved', by: approver, target: row.id, details: { scheduled_at } })
    return draftRecord(
      await saveDraft(change, row, { status: 'scheduled', scheduled_at, job_id, approved_by }),
    )
  })

/**
 * Rejects a draft; a change makes it a draft again.
 *
 * @throws ServiceError `draft_changed` if the draft is not what the operator saw, `not_found`
 */
export async function rejectDraft(
  ports: LogPorts,
  { reason, ...decision }: DraftDecision & { reason?: string | undefined },
  by: StoredSender,
): Promise<Draft> {
  return changeAccount(ports, decision.tenantId, async (change) => {
    const row = await draftRow(change.tx, serviceScope(decision.tenantId), decision.id)
    if (!isAsked(row, decision)) throw draftChanged(row)
    await audit(change, { action: 'draft.rejected', by, target: row.id })
    const error = { code: 'draft_rejected', message: reason ?? 'An operator rejected the draft.' }
    return draftRecord(await saveDraft(change, row, { status: 'rejected', error: JSON.stringify(error) }))
  })
}
