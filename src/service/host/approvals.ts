import { z } from 'zod'
import { checkOptions } from '../../protocol/options'
import {
  type Draft,
  draft,
  type SendResult,
  sendResult,
  type WaitingDraft,
  type WaitingDraftWithContent,
  waitingDraft,
  waitingDraftWithContent,
} from '../../protocol/records'
import { administrator } from '../base'
import { findAccountId } from '../inbound'
import type { LogPorts } from '../log'
import type { OutboundPorts } from '../outbound/delivery'
import {
  approveDraft,
  type DraftDecision,
  type DraftFile,
  listWaiting,
  readWaiting,
  readWaitingFile,
  rejectDraft,
  scheduleApproved,
} from '../outbound/drafts'
import { type BlobSettings, openBlobs } from '../store'
import type { AdminCommand } from './admin-channel'
import { carryOutAnywhere, type Place } from './anywhere'

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
    return rejectDraft(ports, decision)
  },
})

/** Decision of the administrator, who names the draft by its id. */
const decision = z.object({ id: z.string(), seq: z.number(), reason: z.string().optional() })
export type Decision = z.infer<typeof decision>
const listed = z.object({ account: z.string().optional() })
const chosen = z.object({ id: z.string() })
const chosenFile = chosen.extend({ position: z.number().int().min(0) })

/** File of a draft, as the running service transfers it. */
const toldFile = z.object({ filename: z.string(), content_base64: z.string() })

/** File of a draft, for the person who decides. */
export interface WaitingFile {
  filename: string
  content: Uint8Array
}

async function tellFile(
  ports: Parameters<typeof readWaitingFile>[0],
  { id, position }: z.infer<typeof chosenFile>,
): Promise<z.infer<typeof toldFile>> {
  const { filename, content } = await readWaitingFile(ports, undefined, id, position)
  return { filename, content_base64: Buffer.from(content).toString('base64') }
}

const pageSize = 100

async function tellWaiting(
  ports: LogPorts,
  account: string | undefined,
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

/** Adds the account of the draft to a decision. @throws ServiceError `not_found` */
async function decided({ store }: LogPorts, { id, seq }: Decision): Promise<DraftDecision> {
  const { tenant_id: tenantId } = await readWaiting({ store }, undefined, id)
  return { tenantId, id, seq }
}

const rejectAs = async (ports: LogPorts, asked: Decision) =>
  rejectDraft(ports, { ...(await decided(ports, asked)), reason: asked.reason })

/** Commands on waiting drafts, for the administrator channel. */
export const approvalCommands = (ports: OutboundPorts) =>
  ({
    'list-waiting': (request, tell) => tellWaiting(ports, listed.parse(request).account, tell),
    'read-waiting': (request) => readWaiting(ports, undefined, chosen.parse(request).id),
    'read-waiting-file': (request) => tellFile(ports, chosenFile.parse(request)),
    approve: async (request) =>
      approveDraft(ports, await decided(ports, decision.parse(request)), administrator),
    reject: (request) => rejectAs(ports, decision.parse(request)),
  }) satisfies Record<string, AdminCommand>

/**
 * Lists drafts that wait for an operator, oldest first, of all accounts or of one (by its id, or an address).
 *
 * @throws RestanteError `account_not_found`. UsageError if the database cannot be opened
 */
export async function administerWaitingDrafts(
  place: Place,
  account: string | undefined,
  onDraft: (one: WaitingDraft) => void,
): Promise<void> {
  const tell = (facts: object) => onDraft(waitingDraft.parse(facts))
  const asked = { command: 'list-waiting', ...(account !== undefined && { account }) }
  await carryOutAnywhere(place, asked, (ground) => tellWaiting(ground, account, tell), tell)
}

/** Reads a draft in full. @throws RestanteError `not_found`. UsageError if the database cannot be opened */
export const administerDraft = async (place: Place, id: string): Promise<WaitingDraftWithContent> =>
  waitingDraftWithContent.parse(
    await carryOutAnywhere(place, { command: 'read-waiting', id }, (ground) =>
      readWaiting(ground, undefined, id),
    ),
  )

/**
 * Reads a file of a draft by its index, from 0.
 *
 * @throws RestanteError `not_found`. UsageError if the database cannot be opened
 */
export async function administerDraftFile(
  place: Place & BlobSettings,
  asked: { id: string; position: number },
): Promise<WaitingFile> {
  const { filename, content_base64 } = toldFile.parse(
    await carryOutAnywhere(place, { command: 'read-waiting-file', ...asked }, async ({ store }) =>
      tellFile({ store, blobs: await openBlobs(store, place) }, asked),
    ),
  )
  return { filename, content: Buffer.from(content_base64, 'base64') }
}

/**
 * Approves a draft. A service on the data folder sends it, or returns why it cannot. Otherwise it is
 * scheduled, at once or at its time, for the next service that runs.
 *
 * @throws RestanteError `draft_changed`, `not_found`, and the errors of sending. UsageError if the database
 *   cannot be opened
 */
export const administerApproval = async (place: Place, asked: Decision): Promise<SendResult | Draft> =>
  z
    .union([sendResult, draft])
    .parse(
      await carryOutAnywhere(place, { command: 'approve', ...asked }, async (ground) =>
        scheduleApproved(ground, await decided(ground, asked), administrator),
      ),
    )

/** Rejects a draft. @throws RestanteError `draft_changed`, `not_found`. UsageError without a database */
export const administerRejection = async (place: Place, asked: Decision): Promise<Draft> =>
  draft.parse(
    await carryOutAnywhere(place, { command: 'reject', ...asked }, (ground) => rejectAs(ground, asked)),
  )
