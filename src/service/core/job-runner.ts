import type { Core } from './context'
import { createJobHolder, leaseMs, type Work } from './job-holder'
import { leaseJobs, type Queue, queueTopic } from './jobs'
import { createLookout } from './lookout'

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

/** Works a queue: leases due jobs, carries them out side by side, and holds on to each while it runs. */
export function createJobRunner({ core, queue, work, concurrency = 20 }: JobRunnerOptions): JobRunner {
  const holder = createJobHolder(core, queue)
  let asked = true
  const lookout = createLookout({
    clock: core.clock,
    askAll() {
      asked = true
    },
    isAsked: () => asked && holder.size < concurrency,
    async look() {
      asked = false
      const jobs = await leaseJobs(core, queue, concurrency - holder.size, leaseMs)
      for (const job of jobs) void holder.run(job, work).then(wake)
    },
    onError: (error) => core.logger.error({ error, queue }, 'the queue could not be read'),
  })

  function wake(): void {
    asked = true
    lookout.wake()
  }

  const unsubscribe = core.signals.subscribe(queueTopic(queue), wake)
  lookout.wake()

  return {
    async close(graceMs = 5_000) {
      unsubscribe()
      await lookout.close()
      await holder.close(graceMs)
    },
  }
}
