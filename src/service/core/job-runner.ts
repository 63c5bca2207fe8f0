import type { Core } from './context'
import { createJobHolder, leaseMs, type Work } from './job-holder'
import { leaseJobs, type Queue, queueTopic } from './jobs'

/** How often a queue is looked at that nobody woke. */
export const lookAgainMs = 5_000

/** Options of {@link createJobRunner}. */
export interface JobRunnerOptions {
  core: Core
  queue: Queue
  work: Work
  /** How many jobs run at once. */
  concurrency?: number
}

/** Works one queue until it is closed. */
export interface JobRunner {
  /** Takes no new job, lets those that run end within `graceMs`, and gives back the rest. */
  close(graceMs?: number): Promise<void>
}

/**
 * Works a queue: leases due jobs, carries them out side by side, and holds on to each while it runs. It looks
 * when it is woken, and every few seconds, so that a lost wake-up costs time only.
 */
export function createJobRunner({ core, queue, work, concurrency = 20 }: JobRunnerOptions): JobRunner {
  const holder = createJobHolder(core, queue)
  let asked = false
  let closing = false
  let looking: Promise<void> | undefined
  let cancelTimer = () => {}

  async function look(): Promise<void> {
    while (asked && !closing && holder.size < concurrency) {
      asked = false
      const jobs = await leaseJobs(core, queue, concurrency - holder.size, leaseMs)
      for (const job of jobs) void holder.run(job, work).then(wake)
    }
  }

  function wake(): void {
    if (closing) return
    asked = true
    if (looking) return
    cancelTimer()
    const startedMs = core.clock.now()
    looking = look()
      .catch((error) => core.logger.error({ error, queue }, 'the queue could not be read'))
      .finally(() => {
        looking = undefined
        if (closing) return
        cancelTimer = core.clock.after(lookAgainMs, wake)
        const isLate = core.clock.now() - startedMs >= lookAgainMs
        if ((asked || isLate) && holder.size < concurrency) wake()
      })
  }

  const unsubscribe = core.signals.subscribe(queueTopic(queue), wake)
  wake()

  return {
    async close(graceMs = 5_000) {
      closing = true
      unsubscribe()
      cancelTimer()
      await looking
      await holder.close(graceMs)
    },
  }
}
