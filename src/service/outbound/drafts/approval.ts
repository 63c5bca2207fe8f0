import type { Draft } from '../../../protocol/records'
import { changeAccount } from '../../log'
import type { OutboundPorts } from '../delivery'
import { type DraftRow, draftRecord, draftRow, type SendAnswer } from '../submit'
import { draftChanged, reschedule, saveDraft } from './changes'
import { serviceScope } from './due'
import { sendDraftRow } from './send'

/** The draft that an operator decides on, exactly as it was shown, which its `seq` says. */
export interface DraftDecision {
  tenantId: string
  id: string
  /** The `seq` of the draft that the operator saw. */
  seq: number
}

const isAsked = (row: DraftRow, { seq }: DraftDecision): boolean =>
  row.status === 'pending_approval' && row.seq === seq

/**
 * Lets a draft out: it is sent now, or scheduled where its time is yet to come. Only for operators; no key may.
 *
 * @throws ServiceError `draft_changed` where the draft is not what the operator saw, `not_found`, and those of
 * sending a message; then the draft goes on waiting
 */
export async function approveDraft(ports: OutboundPorts, decision: DraftDecision): Promise<SendAnswer> {
  const scope = serviceScope(decision.tenantId)
  const row = await draftRow(ports.store.db, scope, decision.id)
  if (row.status === 'sent') return sendDraftRow(ports, scope, row)
  if (!isAsked(row, decision)) throw draftChanged(row)
  const { scheduled_at } = row
  if (scheduled_at === null || Date.parse(scheduled_at) <= ports.clock.now())
    return sendDraftRow(ports, scope, row)
  return changeAccount(ports, decision.tenantId, async (change) => {
    const current = await draftRow(change.tx, scope, decision.id)
    if (!isAsked(current, decision)) throw draftChanged(current)
    const job_id = await reschedule(ports, change, current, scheduled_at)
    return draftRecord(await saveDraft(change, current, { status: 'scheduled', job_id }))
  })
}

/**
 * Keeps a draft from being sent; a change makes it a draft again.
 *
 * @throws ServiceError `draft_changed` where the draft is not what the operator saw, `not_found`
 */
export async function rejectDraft(
  ports: OutboundPorts,
  { reason, ...decision }: DraftDecision & { reason?: string },
): Promise<Draft> {
  return changeAccount(ports, decision.tenantId, async (change) => {
    const row = await draftRow(change.tx, serviceScope(decision.tenantId), decision.id)
    if (!isAsked(row, decision)) throw draftChanged(row)
    const told = { code: 'draft_rejected', message: reason ?? 'An operator rejected the draft.' }
    return draftRecord(await saveDraft(change, row, { status: 'rejected', error: JSON.stringify(told) }))
  })
}
