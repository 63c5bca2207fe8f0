import { hourMs, timeOf } from '../../base/time'
import { createJobHolder, leaseMs } from '../../jobs/job-holder'
import type { JobRunner } from '../../jobs/job-runner'
import { dueDestinations, type Job, leaseJobs, queueTopic } from '../../jobs/jobs'
import { createPoller } from '../../log/poller'
import type { OutboundPorts } from './ports'
import { Site } from './site'

/** Options of {@link createDeliveryQueue}. */
interface DeliveryQueueOptions {
  ports: OutboundPorts
  /** Returns the site of each domain's messages; domains with the same site share one limit. */
  sitesOf(destinations: readonly string[]): Promise<readonly string[]>
  work(job: Job, site: Site, signal: AbortSignal): Promise<void>
  /** Deliveries that run at once, over all sites; 200. */
  concurrency?: number
}

const queue = 'delivery'

/** The next action: `fill` starts known work, `find` looks for new work first. */
type Ask = 'nothing' | 'fill' | 'find'

/** Maximum time in ms from when jobs are due to the commit of their transaction. */
const lateMs = 10_000
/** Pause in ms between two polls for leases that expired, or were given back elsewhere. */
const lookAtAllMs = 5_000
const forgottenAfterMs = hourMs

class DeliveryQueue implements JobRunner {
  readonly #ports
  readonly #sitesOf
  readonly #work
  readonly #concurrency
  readonly #holder
  readonly #sites = new Map<string, Site>()
  /** Destinations that may have due jobs, with their site, longest waiting first. */
  readonly #waiting = new Map<string, Site>()
  #seenUntilMs = 0
  #seenAllMs = Number.NEGATIVE_INFINITY
  #asked: Ask = 'find'
  #closing = false
  readonly #poller
  readonly #unsubscribe

  constructor(options: DeliveryQueueOptions) {
    const { ports, sitesOf, work, concurrency = 200 } = options
    this.#ports = ports
    this.#sitesOf = sitesOf
    this.#work = work
    this.#concurrency = concurrency
    this.#holder = createJobHolder(ports, queue)
    this.#poller = createPoller({
      clock: ports.clock,
      askAll: () => {
        this.#asked = 'find'
      },
      isAsked: () => this.#asked !== 'nothing',
      poll: async () => {
        const isNew = this.#asked === 'find'
        this.#asked = 'nothing'
        if (isNew) await this.#find()
        await this.#fill()
      },
      onError: (error) => ports.logger.error({ error, queue }, 'the queue could not be read'),
    })
    this.#unsubscribe = ports.signals.subscribe(queueTopic(queue), () => this.#wake('find'))
    this.#poller.wake()
  }

  async close(graceMs = 5_000) {
    this.#closing = true
    this.#unsubscribe()
    await this.#poller.close()
    await this.#holder.close(graceMs)
  }

  #siteNamed(name: string): Site {
    const site = this.#sites.get(name) ?? new Site()
    site.lastUsedMs = this.#ports.clock.now()
    this.#sites.set(name, site)
    return site
  }

  /**
   * Finds destinations with due jobs. Earlier ones are checked again if nothing waits, which costs nothing,
   * and otherwise now and then.
   */
  async #find(): Promise<void> {
    const nowMs = this.#ports.clock.now()
    const everything = this.#waiting.size === 0 || nowMs - this.#seenAllMs >= lookAtAllMs
    const after = everything ? '' : timeOf(Math.max(0, this.#seenUntilMs - lateMs))
    const found = await dueDestinations(this.#ports, queue, after)
    const fresh = found.filter((destination) => !this.#waiting.has(destination))
    const names = fresh.length > 0 ? await this.#sitesOf(fresh) : []
    for (const [i, destination] of fresh.entries()) this.#waiting.set(destination, this.#siteNamed(names[i]!))
    this.#seenUntilMs = nowMs
    if (!everything) return
    this.#seenAllMs = nowMs
    this.#forgetSites(nowMs)
  }

  #forgetSites(nowMs: number): void {
    for (const [name, site] of this.#sites)
      if (site.running === 0 && nowMs - site.lastUsedMs > forgottenAfterMs) this.#sites.delete(name)
  }

  #start(job: Job, site: Site): void {
    const done = this.#holder.run(job, (leased, signal) => this.#work(leased, site, signal))
    void done.then(() => {
      site.running -= 1
      this.#wake('fill')
    })
  }

  /** Leases as many jobs of one destination as there are free slots. */
  async #take(destination: string, site: Site, slots: number): Promise<void> {
    try {
      const jobs = await leaseJobs(this.#ports, queue, slots, leaseMs, {
        except: this.#holder.overdue(),
        destination,
      })
      // It moves to the end of the queue if it may have more jobs.
      this.#waiting.delete(destination)
      if (jobs.length === slots) this.#waiting.set(destination, site)
      site.running -= slots - jobs.length
      for (const job of jobs) this.#start(job, site)
    } catch (error) {
      site.running -= slots
      throw error
    }
  }

  async #fill(): Promise<void> {
    const taking: Promise<void>[] = []
    let free = this.#concurrency - this.#holder.size
    for (const [destination, site] of this.#waiting) {
      if (free <= 0 || this.#closing) break
      const slots = Math.min(free, site.slots(this.#ports.clock.now()))
      if (slots <= 0) continue
      site.running += slots
      free -= slots
      taking.push(this.#take(destination, site, slots))
    }
    const failed = (await Promise.allSettled(taking)).find((one) => one.status === 'rejected')
    if (failed) throw failed.reason
    // Slots reserved for destinations without jobs go to the next in the queue.
    if (free <= 0 && this.#holder.size < this.#concurrency)
      this.#asked = this.#asked === 'nothing' ? 'fill' : this.#asked
  }

  #wake(ask: 'fill' | 'find'): void {
    if (this.#asked !== 'find') this.#asked = ask
    this.#poller.wake()
  }
}

/**
 * Creates the queue of outgoing messages. Each site gets as many concurrent deliveries as it has shown to
 * accept, so that a slow or dead one delays no other.
 */
export const createDeliveryQueue = (options: DeliveryQueueOptions): JobRunner => new DeliveryQueue(options)
