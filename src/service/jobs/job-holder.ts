import { now, timeOf } from '../base'
import { extendLease, type Job, type JobKey, postponeJob, type Queue, returnJob } from './jobs'
import type { JobPorts } from './ports'

/** The time for which a job is leased at once: what a node that died held is taken over soon after. */
export const leaseMs = 20_000
/** The pause before a job whose work threw is run again. */
const againMs = 60_000

/** Carries a leased job out and ends or postpones it; where it throws, the job is run again after a minute. */
export type Work = (job: Job, signal: AbortSignal) => Promise<void>

/** A job that runs, and the time until which nobody else gets it. */
interface Held {
  readonly job: Job
  untilMs: number
}

/** Jobs that were leased and are carried out, side by side. */
interface JobHolder {
  readonly size: number
  /** The jobs whose work has not ended though their lease has: they are not to be leased here again meanwhile. */
  overdue(): JobKey[]
  /** Resolves once the job is done, given back or lost; never rejects. */
  run(job: Job, work: Work): Promise<void>
  /** Lets those that run end within `graceMs`, and gives back the rest. */
  close(graceMs: number): Promise<void>
}

/** Holds on to each job while it runs; work whose lease was lost is told to stop, since another has it. */
export function createJobHolder(ports: JobPorts, queue: Queue): JobHolder {
  const running = new Map<Held, Promise<void>>()
  const stop = new AbortController()

  async function giveBack(job: Job, error: unknown): Promise<void> {
    const { aborted } = stop.signal
    if (!aborted) ports.logger.error({ error, queue, job: job.id }, 'job failed')
    const later = timeOf(ports.clock.now() + againMs)
    await ports.store
      .write(async (tx) => {
        if (aborted) await returnJob(tx, job, now(ports))
        else await postponeJob(tx, job, later)
      })
      .catch(() => {}) // the lease runs out by itself
  }

  /** The returned function ends it. */
  function keepLease(held: Held, lost: AbortController): () => void {
    let cancel = () => {}
    let cancelEnd = () => {}
    let released = false
    const lose = (why: string) => {
      held.untilMs = Number.NEGATIVE_INFINITY
      lost.abort(new Error(why))
    }
    // A connection that is silent answers no extension, and another takes the job over all the same.
    const holdUntil = (untilMs: number) => {
      if (released || lost.signal.aborted) return
      held.untilMs = untilMs
      cancelEnd()
      cancelEnd = ports.clock.background(untilMs - ports.clock.now(), () => lose('the lease ran out'))
    }
    const extend = async () => {
      schedule()
      try {
        const untilMs = ports.clock.now() + leaseMs
        if (await extendLease(ports, held.job, leaseMs)) holdUntil(untilMs)
        else lose('the lease was lost')
      } catch (error) {
        ports.logger.warn({ error, queue, job: held.job.id }, 'lease not extended')
      }
    }
    const schedule = () => {
      cancel = ports.clock.background(leaseMs / 3, () => void extend())
    }
    schedule()
    holdUntil(held.untilMs)
    return () => {
      released = true
      cancel()
      cancelEnd()
    }
  }

  async function carry(held: Held, work: Work): Promise<void> {
    const { job } = held
    const lost = new AbortController()
    const release = keepLease(held, lost)
    await work(job, AbortSignal.any([stop.signal, lost.signal]))
      .catch((error) => giveBack(job, error))
      .finally(release)
  }

  return {
    get size() {
      return running.size
    },
    overdue() {
      const nowMs = ports.clock.now()
      return [...running.keys()].filter(({ untilMs }) => untilMs <= nowMs).map(({ job }) => job)
    },
    run(job, work) {
      const held = { job, untilMs: Date.parse(job.lease_until!) }
      const done = carry(held, work).finally(() => running.delete(held))
      running.set(held, done)
      return done
    },
    async close(graceMs) {
      const cancelGrace = ports.clock.background(graceMs, () => stop.abort())
      await Promise.all(running.values())
      cancelGrace()
      stop.abort()
    },
  }
}
