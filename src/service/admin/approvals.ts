import { checkOptions } from '../../protocol/options'
import type { Draft, WaitingDraft, WaitingDraftWithContent } from '../../protocol/records/draft'
import type { SendResult } from '../../protocol/records/message'
import { administrator } from '../base/sender'
import { findAccountId } from '../inbound/recipient-check'
import type { LogPorts } from '../log/ports'
import type { OutboundPorts } from '../outbound/delivery/ports'
import {
  approveDraft,
  type DraftDecision,
  listWaiting,
  readWaiting,
  rejectDraft,
  scheduleApproved,
} from '../outbound/drafts/approval'
import { type DraftFile, readWaitingFile } from '../outbound/drafts/file'
import type { AdminPorts } from './ports'

/** Decisions on drafts that are `pending_approval`, in the version that was shown (`seq`). */
export interface Approvals {
  /**
   * Lists waiting drafts, of one account or of all, oldest first. `cursor` is the previous page's
   * `next_cursor`.
   */
  list(page?: {
    account_id?: string | undefined
    limit?: number | undefined
    cursor?: string | undefined
  }): Promise<{ drafts: WaitingDraft[]; next_cursor: string | null }>
  /** Reads a draft in full, for a decision. @throws ServiceError `not_found` */
  get(id: string): Promise<WaitingDraftWithContent>
  /** Reads a file of the draft by its index in `attachments`, from 0. @throws ServiceError `not_found` */
  file(id: string, position: number): Promise<DraftFile>
  /**
   * Sends the draft, or schedules it if its time has not come. Repeating it has no effect.
   *
   * @throws ServiceError `draft_changed`, `not_found`, and the errors of sending; the draft keeps waiting
   */
  approve(decision: DraftDecision): Promise<SendResult | Draft>
  /** Rejects the draft, so that it is not sent. @throws ServiceError `draft_changed`, `not_found` */
  reject(decision: DraftDecision & { reason?: string | undefined }): Promise<Draft>
}

/** Creates the decisions of an operator, within a service. */
export const createApprovals = (ports: OutboundPorts): Approvals => ({
  list: async (page = {}) => {
    checkOptions('approvals.list()', page, { account_id: true, limit: true, cursor: true })
    const { account_id, limit = 25, cursor } = page
    return listWaiting(ports, account_id, { limit, cursor })
  },
  get: (id) => readWaiting(ports, undefined, id),
  file: (id, position) => readWaitingFile(ports, undefined, id, position),
  approve: (decision) => approveDraft(ports, decision, administrator),
  reject: async (decision) => {
    checkOptions('approvals.reject()', decision, { tenantId: true, id: true, seq: 'number', reason: true })
    return rejectDraft(ports, decision, administrator)
  },
})

const pageSize = 100

/** Calls `tell` with each waiting draft, oldest first. @throws ServiceError `account_not_found` */
export async function eachWaiting(
  ports: LogPorts,
  { account }: { account?: string | undefined },
  tell: (one: WaitingDraft) => void,
): Promise<object> {
  const tenantId = account === undefined ? undefined : await findAccountId(ports, account)
  let cursor: string | undefined
  do {
    const { drafts, next_cursor } = await listWaiting(ports, tenantId, { limit: pageSize, cursor })
    drafts.forEach(tell)
    cursor = next_cursor ?? undefined
  } while (cursor !== undefined)
  return {}
}

/** Reads a file of a draft by its index, from 0. @throws ServiceError `not_found` */
export async function readFile(ports: AdminPorts, { id, position }: { id: string; position: number }) {
  const blobs = await ports.openBlobs()
  const { filename, content } = await readWaitingFile({ store: ports.store, blobs }, undefined, id, position)
  return { filename, content_base64: Buffer.from(content).toString('base64') }
}

/** Decision of the administrator, who names the draft by its id. */
type Decision = Omit<DraftDecision, 'tenantId'>

/** Adds the account of the draft to a decision. @throws ServiceError `not_found` */
async function decided({ store }: LogPorts, { id, seq }: Decision): Promise<DraftDecision> {
  const { tenant_id: tenantId } = await readWaiting({ store }, undefined, id)
  return { tenantId, id, seq }
}

/**
 * Approves a draft. A running service sends it, or returns why it cannot. Otherwise it is scheduled, at once
 * or at its time, for the next service that runs.
 *
 * @throws ServiceError `draft_changed`, `not_found`, and the errors of sending
 */
export async function approveAs(ports: AdminPorts, asked: Decision): Promise<SendResult | Draft> {
  const decision = await decided(ports, asked)
  return ports.service
    ? approveDraft(ports.service.ports, decision, administrator)
    : scheduleApproved(ports, decision, administrator)
}

/** Rejects a draft. @throws ServiceError `draft_changed`, `not_found` */
export const rejectAs = async (
  ports: LogPorts,
  { reason, ...asked }: Decision & { reason?: string | undefined },
): Promise<Draft> => rejectDraft(ports, { ...(await decided(ports, asked)), reason }, administrator)
