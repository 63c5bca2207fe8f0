import { isServiceError, type ServiceError } from '../../protocol/error'
import { changeAccount } from './change'
import { type Core, timeOf } from './context'
import { saveDraft } from './draft-changes'
import { type DraftRow, draftRow } from './draft-records'
import { sendDraftRow } from './draft-send'
import { finishJob, type Job, postponeJob } from './jobs'
import type { Scope } from './keys'
import { holdWhilePaused } from './paused-jobs'

/** How long a draft whose time has come is tried again where the service itself is in trouble. */
const giveUpAfterMs = 24 * 60 * 60_000

/** The service acts for the account, as the key did that gave the draft its time, or the operator who approved. */
export const serviceScope = (tenantId: string): Scope => ({
  tenantId,
  keyId: '',
  inboxId: null,
  scopes: ['read', 'send'],
})

async function failDraft(core: Core, job: Job, row: DraftRow, error: ServiceError): Promise<void> {
  await changeAccount(core, job.tenant_id, async (change) => {
    if (!(await finishJob(change.tx, job))) return
    const told = { code: error.code, message: error.message }
    await saveDraft(change, row, { status: 'failed', error: JSON.stringify(told), job_id: null })
  })
}

/** Whether trying again later may help. */
const mayPass = (error: unknown): boolean =>
  !isServiceError(error) || error.status >= 500 || error.status === 429

const isLate = (core: Core, { scheduled_at }: DraftRow): boolean =>
  core.clock.now() - Date.parse(scheduled_at!) >= giveUpAfterMs

/** The job is put aside when it is run again, until the account may send. */
const heldCodes: ReadonlySet<string> = new Set(['sending_paused', 'account_suspended'])

async function tryAgain(core: Core, job: Job, afterMs: number): Promise<void> {
  await core.store.write((tx) => postponeJob(tx, job, timeOf(core.clock.now() + afterMs)))
}

/** A draft that a limit holds up says so while it waits. */
async function waitForLimit(core: Core, job: Job, row: DraftRow, error: ServiceError, ms: number) {
  const told = { code: error.code, message: error.message }
  const isTold = row.error !== null && JSON.parse(row.error).code === error.code
  await changeAccount(core, job.tenant_id, async (change) => {
    if (!(await postponeJob(change.tx, job, timeOf(core.clock.now() + ms))) || isTold) return
    await saveDraft(change, row, { error: JSON.stringify(told) })
  })
}

async function trySending(core: Core, job: Job, row: DraftRow): Promise<void> {
  try {
    await sendDraftRow(core, serviceScope(job.tenant_id), row)
  } catch (error) {
    if (isServiceError(error, 'draft_changed')) return
    if (isServiceError(error) && heldCodes.has(error.code)) return tryAgain(core, job, 0)
    if (mayPass(error) && !isLate(core, row)) {
      if (!isServiceError(error) || error.retryAfterMs === undefined) throw error
      return waitForLimit(core, job, row, error, error.retryAfterMs)
    }
    const known = isServiceError(error) ? error : { code: 'internal_error', message: 'The service failed.' }
    await failDraft(core, job, row, known as ServiceError)
  }
}

/**
 * Sends a draft whose time has come: the work of the queue `drafts`. A job that the draft no longer names is
 * void, and the one it names goes with the mail in one transaction: it fires once, whoever dies when.
 */
export async function sendScheduledDraft(core: Core, job: Job): Promise<void> {
  if (await holdWhilePaused(core, job)) return
  const { draftId } = JSON.parse(job.data) as { draftId: string }
  const row = await draftRow(core.store.db, serviceScope(job.tenant_id), draftId).catch((error) => {
    if (isServiceError(error, 'not_found')) return null
    throw error
  })
  if (row?.job_id === job.id && row.status === 'scheduled') await trySending(core, job, row)
  await core.store.write((tx) => finishJob(tx, job))
}
