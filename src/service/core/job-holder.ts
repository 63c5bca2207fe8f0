import { type Core, now, timeOf } from './context'
import { extendLease, type Job, postponeJob, type Queue, returnJob } from './jobs'

/** How long a job is leased at a time. */
export const leaseMs = 60_000

/** Carries a leased job out and ends or postpones it; where it throws, the job is run again after a minute. */
export type Work = (job: Job, signal: AbortSignal) => Promise<void>

/** Jobs that were leased and are carried out, side by side. */
export interface JobHolder {
  readonly size: number
  /** Resolves once the job is done, given back or lost; never rejects. */
  run(job: Job, work: Work): Promise<void>
  /** Lets those that run end within `graceMs`, and gives back the rest. */
  close(graceMs: number): Promise<void>
}

/** Holds on to each job while it runs; work whose lease was lost is told to stop, since another has it. */
export function createJobHolder(core: Core, queue: Queue): JobHolder {
  const running = new Set<Promise<void>>()
  const stop = new AbortController()

  async function giveBack(job: Job, error: unknown): Promise<void> {
    const { aborted } = stop.signal
    if (!aborted) core.logger.error({ error, queue, job: job.id }, 'job failed')
    const inAMinute = timeOf(core.clock.now() + leaseMs)
    await core.store
      .write(async (tx) => {
        if (aborted) await returnJob(tx, job, now(core))
        else await postponeJob(tx, job, inAMinute)
      })
      .catch(() => {}) // the lease runs out by itself
  }

  /** The returned function ends it. */
  function keepLease(job: Job, lost: AbortController): () => void {
    let heldUntil = core.clock.now() + leaseMs
    let cancel = () => {}
    const extend = async () => {
      schedule()
      try {
        const until = core.clock.now() + leaseMs
        if (await extendLease(core, job, leaseMs)) heldUntil = until
        else lost.abort(new Error('the lease was lost'))
      } catch (error) {
        core.logger.warn({ error, queue, job: job.id }, 'lease not extended')
        if (core.clock.now() >= heldUntil) lost.abort(new Error('the lease ran out'))
      }
    }
    const schedule = () => {
      cancel = core.clock.after(leaseMs / 3, () => void extend())
    }
    schedule()
    return () => cancel()
  }

  async function carry(job: Job, work: Work): Promise<void> {
    const lost = new AbortController()
    const release = keepLease(job, lost)
    await work(job, AbortSignal.any([stop.signal, lost.signal]))
      .catch((error) => giveBack(job, error))
      .finally(release)
  }

  return {
    get size() {
      return running.size
    },
    run(job, work) {
      const done = carry(job, work).finally(() => running.delete(done))
      running.add(done)
      return done
    },
    async close(graceMs) {
      const cancelGrace = core.clock.after(graceMs, () => stop.abort())
      await Promise.all(running)
      cancelGrace()
      stop.abort()
    },
  }
}
