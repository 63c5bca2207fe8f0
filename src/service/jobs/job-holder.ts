import { now, timeOf } from '../base'
import { extendLease, type Job, postponeJob, type Queue, returnJob } from './jobs'
import type { JobPorts } from './ports'

/** The time for which a job is leased at once. */
export const leaseMs = 60_000

/** Carries a leased job out and ends or postpones it; where it throws, the job is run again after a minute. */
export type Work = (job: Job, signal: AbortSignal) => Promise<void>

/** Jobs that were leased and are carried out, side by side. */
interface JobHolder {
  readonly size: number
  /** Resolves once the job is done, given back or lost; never rejects. */
  run(job: Job, work: Work): Promise<void>
  /** Lets those that run end within `graceMs`, and gives back the rest. */
  close(graceMs: number): Promise<void>
}

/** Holds on to each job while it runs; work whose lease was lost is told to stop, since another has it. */
export function createJobHolder(ports: JobPorts, queue: Queue): JobHolder {
  const running = new Set<Promise<void>>()
  const stop = new AbortController()

  async function giveBack(job: Job, error: unknown): Promise<void> {
    const { aborted } = stop.signal
    if (!aborted) ports.logger.error({ error, queue, job: job.id }, 'job failed')
    const inAMinute = timeOf(ports.clock.now() + leaseMs)
    await ports.store
      .write(async (tx) => {
        if (aborted) await returnJob(tx, job, now(ports))
        else await postponeJob(tx, job, inAMinute)
      })
      .catch(() => {}) // the lease runs out by itself
  }

  /** The returned function ends it. */
  function keepLease(job: Job, lost: AbortController): () => void {
    let heldUntil = ports.clock.now() + leaseMs
    let cancel = () => {}
    const extend = async () => {
      schedule()
      try {
        const until = ports.clock.now() + leaseMs
        if (await extendLease(ports, job, leaseMs)) heldUntil = until
        else lost.abort(new Error('the lease was lost'))
      } catch (error) {
        ports.logger.warn({ error, queue, job: job.id }, 'lease not extended')
        if (ports.clock.now() >= heldUntil) lost.abort(new Error('the lease ran out'))
      }
    }
    const schedule = () => {
      cancel = ports.clock.background(leaseMs / 3, () => void extend())
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
      const cancelGrace = ports.clock.background(graceMs, () => stop.abort())
      await Promise.all(running)
      cancelGrace()
      stop.abort()
    },
  }
}
