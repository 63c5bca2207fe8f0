import { isServiceError, type ServiceError } from '../../../protocol/errors/error'
import type { Scope } from '../../accounts/keys'
import { dayMs, timeOf } from '../../base/time'
import { holdWhilePaused } from '../../jobs/held-jobs'
import { finishJob, type Job, postponeJob } from '../../jobs/jobs'
import { changeAccount } from '../../log/change'
import type { OutboundPorts } from '../delivery/ports'
import { type DraftRow, draftRow } from '../submit/draft-records'
import { type DraftJob, saveDraft } from './changes'
import { isForPeople, sendDraftRow } from './send'

/** Time in ms for which a due draft is retried while the service itself has a failure. */
const giveUpAfterMs = dayMs

/**
 * Scope in which the service acts for the account, like the key that scheduled the draft, or the operator who
 * approved it.
 */
export const serviceScope = (tenantId: string): Scope => ({
  tenantId,
  keyId: '',
  inboxId: null,
  scopes: ['read', 'send'],
})

async function failDraft(ports: OutboundPorts, job: Job, row: DraftRow, error: ServiceError): Promise<void> {
  await changeAccount(ports, job.tenant_id, async (change) => {
    if (!(await finishJob(change.tx, job))) return
    const failure = { code: error.code, message: error.message }
    await saveDraft(change, row, { status: 'failed', error: JSON.stringify(failure), job_id: null })
  })
}

/** Checks whether trying again later may help. */
const mayPass = (error: unknown): boolean =>
  !isServiceError(error) || error.status >= 500 || error.status === 429 || error.retryAfterMs !== undefined

const isLate = (ports: OutboundPorts, { scheduled_at }: DraftRow): boolean =>
  ports.clock.now() - Date.parse(scheduled_at!) >= giveUpAfterMs

/** Codes of an account that may not send: its job is held at its next run, until it may. */
const heldCodes: ReadonlySet<string> = new Set(['sending_paused', 'account_suspended'])

async function tryAgain(ports: OutboundPorts, job: Job, afterMs: number): Promise<void> {
  await ports.store.write((tx) => postponeJob(tx, job, timeOf(ports.clock.now() + afterMs)))
}

/** Postpones a draft that exceeds a limit, and stores the limit as its error. */
async function waitForLimit(ports: OutboundPorts, job: Job, row: DraftRow, error: ServiceError, ms: number) {
  const failure = { code: error.code, message: error.message }
  const isRecorded = row.error !== null && JSON.parse(row.error).code === error.code
  await changeAccount(ports, job.tenant_id, async (change) => {
    if (!(await postponeJob(change.tx, job, timeOf(ports.clock.now() + ms))) || isRecorded) return
    await saveDraft(change, row, { error: JSON.stringify(failure) })
  })
}

/** Leaves a due draft to people, since agents only suggest in its inbox by now. */
async function leaveToPeople(ports: OutboundPorts, job: Job, row: DraftRow): Promise<void> {
  await changeAccount(ports, job.tenant_id, async (change) => {
    if (!(await finishJob(change.tx, job))) return
    await saveDraft(change, row, {
      ...{ status: 'draft', suggested: 1, scheduled_at: null, job_id: null },
      // People see what came meanwhile.
      expect_last_message_id: null,
    })
  })
}

async function trySending(ports: OutboundPorts, job: Job, row: DraftRow): Promise<void> {
  try {
    if (await isForPeople(ports, serviceScope(job.tenant_id), row))
      return await leaveToPeople(ports, job, row)
    await sendDraftRow(ports, serviceScope(job.tenant_id), row)
  } catch (error) {
    if (isServiceError(error, 'draft_changed')) return
    if (isServiceError(error) && heldCodes.has(error.code)) return tryAgain(ports, job, 0)
    if (mayPass(error) && !isLate(ports, row)) {
      if (!isServiceError(error) || error.retryAfterMs === undefined) throw error
      return waitForLimit(ports, job, row, error, error.retryAfterMs)
    }
    const known = isServiceError(error) ? error : { code: 'internal_error', message: 'The service failed.' }
    await failDraft(ports, job, row, known as ServiceError)
  }
}

/**
 * Sends a due draft: the work of the queue `drafts`. A job that the draft no longer names is void. The named
 * one is deleted with the send in one transaction, so it fires once despite crashes.
 */
export async function sendScheduledDraft(ports: OutboundPorts, job: Job): Promise<void> {
  if (await holdWhilePaused(ports, job)) return
  const { draftId } = JSON.parse(job.data) as DraftJob
  const row = await draftRow(ports.store.db, serviceScope(job.tenant_id), draftId).catch((error) => {
    if (isServiceError(error, 'not_found')) return null
    throw error
  })
  if (row?.job_id === job.id && row.status === 'scheduled') await trySending(ports, job, row)
  await ports.store.write((tx) => finishJob(tx, job))
}
