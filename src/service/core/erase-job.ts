import type { Core } from './context'
import { eraseRest } from './erase'
import { type ErasedAccount, eraseAccountRows } from './erase-account'
import type { ErasedEvents } from './erase-events'
import type { Job } from './jobs'

/** The work of the queue `erase`. */
export async function eraseByJob(core: Core, job: Job, signal: AbortSignal): Promise<void> {
  const { of } = JSON.parse(job.data) as ErasedEvents | ErasedAccount
  if (of === 'account') await eraseAccountRows(core, job, signal)
  else await eraseRest(core, job, signal)
}
