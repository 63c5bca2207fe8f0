import { isServiceError } from '../../protocol/errors/error'
import { systemClock } from '../../protocol/time/clock'
import { finishJob, insertJobs, type Job, queueTopic } from '../jobs/jobs'
import type { Registry } from '../log/registry'
import { type ReindexPorts, reindexWhole } from './index-messages'

/** Data of a job that indexes a message again. */
interface ReindexJob {
  messageId: string
}

/** Registers the handler for files that were read: a job indexes their message again. */
export function joinSearch(registry: Registry): void {
  registry.on('filesRead', async (change, { messageId }) => {
    const data: ReindexJob = { messageId }
    const clock = { ...systemClock, now: () => Date.parse(change.now) }
    await insertJobs({ clock }, change.tx, change.account.tenant_id, 'words', [data])
    change.wake(queueTopic('words'))
  })
}

/** Indexes a message again, with the words of its files: the work of the queue `words`. */
export async function reindexByJob(ports: ReindexPorts, job: Job): Promise<void> {
  const { messageId } = JSON.parse(job.data) as ReindexJob
  await reindexWhole(ports, job.tenant_id, messageId, (tx) => finishJob(tx, job)).catch((error: unknown) => {
    // The account was erased meanwhile, with its jobs.
    if (!isServiceError(error, 'account_not_found')) throw error
  })
}
