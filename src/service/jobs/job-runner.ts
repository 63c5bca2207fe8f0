import { createPoller } from '../log/poller'
import { createJobHolder, leaseMs, type Work } from './job-holder'
import { leaseJobs, type Queue, queueTopic } from './jobs'
import type { JobPorts } from './ports'

/** Options of {@link createJobRunner}. */
interface JobRunnerOptions {
  ports: JobPorts
  queue: Queue
  work: Work
  /** Number of jobs that run at once; 20. */
  concurrency?: number
}

/** Runs the jobs of one queue until it is closed. */
export interface JobRunner {
  /** Leases no new job, lets running jobs end within `graceMs`, and gives back the rest. */
  close(graceMs?: number): Promise<void>
}

/** Runs a queue: leases due jobs, runs them concurrently, and extends the lease of each while it runs. */
export function createJobRunner({ ports, queue, work, concurrency = 20 }: JobRunnerOptions): JobRunner {
  const holder = createJobHolder(ports, queue)
  let asked = true
  const poller = createPoller({
    clock: ports.clock,
    askAll() {
      asked = true
    },
    isAsked: () => asked && holder.size < concurrency,
    async poll() {
      asked = false
      const jobs = await leaseJobs(ports, queue, concurrency - holder.size, leaseMs, {
        except: holder.overdue(),
      })
      for (const job of jobs) void holder.run(job, work).then(wake)
    },
    onError: (error) => ports.logger.error({ error, queue }, 'the queue could not be read'),
  })

  function wake(): void {
    asked = true
    poller.wake()
  }

  const unsubscribe = ports.signals.subscribe(queueTopic(queue), wake)
  poller.wake()

  return {
    async close(graceMs = 5_000) {
      unsubscribe()
      await poller.close()
      await holder.close(graceMs)
    },
  }
}
