import { z } from 'zod'
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
import { checkOptions } from '../../protocol/options'
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

/** Decides on drafts that are `pending_approval`, exactly as they were shown: `seq` says which. */
export interface Approvals {
  /** Lists the drafts that wait, of one account or of all, oldest first; `cursor` is the `next_cursor` of the page before. */
  list(page?: {
    account_id?: string | undefined
    limit?: number | undefined
    cursor?: string | undefined
  }): Promise<{ drafts: WaitingDraft[]; next_cursor: string | null }>
  /** Reads a draft with all that it says, to decide on it. @throws ServiceError `not_found` */
  get(id: string): Promise<WaitingDraftWithContent>
  /** Reads a file of the draft by its place among its `attachments`, the first being 0. @throws ServiceError `not_found` */
  file(id: string, position: number): Promise<DraftFile>
  /**
   * Sends the draft, or schedules it where its time is yet to come; doing it again changes nothing.
   *
   * @throws ServiceError `draft_changed`, `not_found`, and those of sending; then it goes on waiting
   */
  approve(decision: DraftDecision): Promise<SendResult | Draft>
  /** Keeps it from being sent. @throws ServiceError `draft_changed`, `not_found` */
  reject(decision: DraftDecision & { reason?: string | undefined }): Promise<Draft>
}

/** The decisions of an operator, within a service. */
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

/** A decision of the host, who knows the draft by its id. */
const decision = z.object({ id: z.string(), seq: z.number(), reason: z.string().optional() })
export type Decision = z.infer<typeof decision>
const listed = z.object({ account: z.string().optional() })
const chosen = z.object({ id: z.string() })
const chosenFile = chosen.extend({ position: z.number().int().min(0) })

/** A file of a draft on its way from the service that runs. */
const toldFile = z.object({ filename: z.string(), content_base64: z.string() })

/** A file of a draft, for whoever decides on it. */
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

/** The account of a draft is part of a decision on it. @throws ServiceError `not_found` */
async function decided({ store }: LogPorts, { id, seq }: Decision): Promise<DraftDecision> {
  const { tenant_id: tenantId } = await readWaiting({ store }, undefined, id)
  return { tenantId, id, seq }
}

const rejectAs = async (ports: LogPorts, asked: Decision) =>
  rejectDraft(ports, { ...(await decided(ports, asked)), reason: asked.reason })

/** The commands on drafts that wait, for the channel of the host. */
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
 * Lists the drafts that wait for an operator, of one account (by its id, or an address) or of all, oldest first.
 *
 * @throws RestanteError `account_not_found`. UsageError where the database cannot be opened
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

/** Reads a draft with all that it says. @throws RestanteError `not_found`. UsageError where the database cannot be opened */
export const administerDraft = async (place: Place, id: string): Promise<WaitingDraftWithContent> =>
  waitingDraftWithContent.parse(
    await carryOutAnywhere(place, { command: 'read-waiting', id }, (ground) =>
      readWaiting(ground, undefined, id),
    ),
  )

/**
 * Reads a file of a draft by its place among them, the first being 0.
 *
 * @throws RestanteError `not_found`. UsageError where the database cannot be opened
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
 * Lets a draft out: a service that runs on the data folder sends it, or says why it cannot; else it is scheduled for who
 * runs, at once or at its time.
 *
 * @throws RestanteError `draft_changed`, `not_found`, and those of sending. UsageError where the database cannot be opened
 */
export const administerApproval = async (place: Place, asked: Decision): Promise<SendResult | Draft> =>
  z
    .union([sendResult, draft])
    .parse(
      await carryOutAnywhere(place, { command: 'approve', ...asked }, async (ground) =>
        scheduleApproved(ground, await decided(ground, asked), administrator),
      ),
    )

/** Keeps a draft from being sent. @throws RestanteError `draft_changed`, `not_found`. UsageError where the database cannot be opened */
export const administerRejection = async (place: Place, asked: Decision): Promise<Draft> =>
  draft.parse(
    await carryOutAnywhere(place, { command: 'reject', ...asked }, (ground) => rejectAs(ground, asked)),
  )
