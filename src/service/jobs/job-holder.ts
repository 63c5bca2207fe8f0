import { now, timeOf } from '../base/time'
import { extendLease, type Job, type JobKey, postponeJob, type Queue, returnJob } from './jobs'
import type { JobPorts } from './ports'

/** Time in ms that a job is leased at once: jobs of a node that died are taken over soon after. */
export const leaseMs = 20_000
/** Pause in ms before a job whose work threw is run again. */
const againMs = 60_000

/** Runs a leased job, and finishes or postpones it. If it throws, the job is run again after a minute. */
export type Work = (job: Job, signal: AbortSignal) => Promise<void>

/** A running job, and the time until which no other node can lease it. */
interface Held {
  readonly job: Job
  untilMs: number
}

/** Leased jobs that run concurrently. */
interface JobHolder {
  readonly size: number
  /** Jobs that still run after their lease expired: they must not be leased here again meanwhile. */
  overdue(): JobKey[]
  /** Resolves once the job is done, given back or lost; never rejects. */
  run(job: Job, work: Work): Promise<void>
  /** Lets running jobs end within `graceMs`, and gives back the rest. */
  close(graceMs: number): Promise<void>
}

class LeasedJobs implements JobHolder {
  readonly #ports: JobPorts
  readonly #queue: Queue
  readonly #running = new Map<Held, Promise<void>>()
  readonly #stop = new AbortController()

  constructor(ports: JobPorts, queue: Queue) {
    this.#ports = ports
    this.#queue = queue
  }

  readonly run: JobHolder['run'] = (job, work) => {
    const held = { job, untilMs: Date.parse(job.lease_until!) }
    const done = this.#carry(held, work).finally(() => this.#running.delete(held))
    this.#running.set(held, done)
    return done
  }

  readonly close: JobHolder['close'] = async (graceMs) => {
    const cancelGrace = this.#ports.clock.background(graceMs, () => this.#stop.abort())
    await Promise.all(this.#running.values())
    cancelGrace()
    this.#stop.abort()
  }

  get size() {
    return this.#running.size
  }

  overdue() {
    const nowMs = this.#ports.clock.now()
    return [...this.#running.keys()].filter(({ untilMs }) => untilMs <= nowMs).map(({ job }) => job)
  }

  async #giveBack(job: Job, error: unknown): Promise<void> {
    const { aborted } = this.#stop.signal
    if (!aborted) this.#ports.logger.error({ error, queue: this.#queue, job: job.id }, 'job failed')
    const later = timeOf(this.#ports.clock.now() + againMs)
    await this.#ports.store
      .write(async (tx) => {
        if (aborted) await returnJob(tx, job, now(this.#ports))
        else await postponeJob(tx, job, later)
      })
      .catch(() => {}) // the lease expires by itself
  }

  /** Extends the lease until the returned function is called. */
  #keepLease(held: Held, lost: AbortController): () => void {
    let cancel = () => {}
    let cancelEnd = () => {}
    let released = false
    const lose = (why: string) => {
      held.untilMs = Number.NEGATIVE_INFINITY
      lost.abort(new Error(why))
    }
    // On a silent connection no extension fails, but another node takes over the job all the same.
    const holdUntil = (untilMs: number) => {
      if (released || lost.signal.aborted) return
      held.untilMs = untilMs
      cancelEnd()
      cancelEnd = this.#ports.clock.background(untilMs - this.#ports.clock.now(), () =>
        lose('the lease ran out'),
      )
    }
    const extend = async () => {
      schedule()
      try {
        const untilMs = this.#ports.clock.now() + leaseMs
        if (await extendLease(this.#ports, held.job, leaseMs)) holdUntil(untilMs)
        else lose('the lease was lost')
      } catch (error) {
        this.#ports.logger.warn({ error, queue: this.#queue, job: held.job.id }, 'lease not extended')
      }
    }
    const schedule = () => {
      cancel = this.#ports.clock.background(leaseMs / 3, () => void extend())
    }
    schedule()
    holdUntil(held.untilMs)
    return () => {
      released = true
      cancel()
      cancelEnd()
    }
  }

  async #carry(held: Held, work: Work): Promise<void> {
    const { job } = held
    const lost = new AbortController()
    const release = this.#keepLease(held, lost)
    await work(job, AbortSignal.any([this.#stop.signal, lost.signal]))
      .catch((error) => this.#giveBack(job, error))
      .finally(release)
  }
}

/**
 * Extends the lease of each job while it runs. If it is lost, another node has the job: the work is aborted.
 */
export const createJobHolder = (ports: JobPorts, queue: Queue): JobHolder => new LeasedJobs(ports, queue)
