import { type Core, now, timeOf } from './context'
import { extendLease, type Job, leaseJobs, postponeJob, type Queue, queueTopic } from './jobs'

const leaseMs = 60_000
const lookAgainMs = 5_000

/** Options of {@link createJobRunner}. */
export interface JobRunnerOptions {
  core: Core
  queue: Queue
  /** Carries a job out and ends or postpones it; where it throws, the job is run again after a minute. */
  work(job: Job, signal: AbortSignal): Promise<void>
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
  const running = new Map<Job, Promise<void>>()
  const stop = new AbortController()
  let asked = false
  let closing = false
  let looking: Promise<void> | undefined
  let cancelTimer = () => {}

  async function giveBack(job: Job, error: unknown): Promise<void> {
    const { aborted } = stop.signal
    if (!aborted) core.logger.error({ error, queue, job: job.id }, 'job failed')
    const runAt = aborted ? now(core) : timeOf(core.clock.now() + leaseMs)
    await core.store.write((tx) => postponeJob(tx, job, runAt)).catch(() => {}) // the lease runs out by itself
  }

  async function run(job: Job): Promise<void> {
    const extend = () => {
      cancelExtension = core.clock.after(leaseMs / 3, extend)
      extendLease(core, job, leaseMs).catch((error) =>
        core.logger.warn({ error, queue, job: job.id }, 'lease not extended'),
      )
    }
    let cancelExtension = core.clock.after(leaseMs / 3, extend)
    await work(job, stop.signal)
      .catch((error) => giveBack(job, error))
      .finally(() => cancelExtension())
  }

  async function look(): Promise<void> {
    while (asked && !closing && running.size < concurrency) {
      asked = false
      const jobs = await leaseJobs(core, queue, concurrency - running.size, leaseMs)
      for (const job of jobs) {
        running.set(
          job,
          run(job).finally(() => {
            running.delete(job)
            wake()
          }),
        )
      }
    }
  }

  function wake(): void {
    if (closing) return
    asked = true
    if (looking) return
    cancelTimer()
    looking = look()
      .catch((error) => core.logger.error({ error, queue }, 'the queue could not be read'))
      .finally(() => {
        looking = undefined
        if (closing) return
        cancelTimer = core.clock.after(lookAgainMs, wake)
        if (asked && running.size < concurrency) wake()
      })
  }

  const unsubscribe = core.signals.subscribe(queueTopic(queue), wake)
  wake()

  return {
    async close(graceMs = 5_000) {
      closing = true
      unsubscribe()
      cancelTimer()
      const cancelGrace = core.clock.after(graceMs, () => stop.abort())
      await looking
      await Promise.all(running.values())
      cancelGrace()
      stop.abort()
    },
  }
}
