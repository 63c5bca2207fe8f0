import { hourMs, timeOf } from '../../base'
import {
  createJobHolder,
  dueDestinations,
  type Job,
  type JobRunner,
  leaseJobs,
  leaseMs,
  queueTopic,
} from '../../jobs'
import { createPoller } from '../../log'
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

/**
 * Creates the queue of outgoing messages. Each site gets as many concurrent deliveries as it has shown to
 * accept, so that a slow or dead one delays no other.
 */
export function createDeliveryQueue(options: DeliveryQueueOptions): JobRunner {
  const { ports, sitesOf, work, concurrency = 200 } = options
  const holder = createJobHolder(ports, queue)
  const sites = new Map<string, Site>()
  /** Destinations that may have due jobs, with their site, longest waiting first. */
  const waiting = new Map<string, Site>()
  let seenUntilMs = 0
  let seenAllMs = Number.NEGATIVE_INFINITY
  let asked: Ask = 'find'
  let closing = false

  function siteNamed(name: string): Site {
    const site = sites.get(name) ?? new Site()
    site.lastUsedMs = ports.clock.now()
    sites.set(name, site)
    return site
  }

  /**
   * Finds destinations with due jobs. Earlier ones are checked again if nothing waits, which costs nothing,
   * and otherwise now and then.
   */
  async function find(): Promise<void> {
    const nowMs = ports.clock.now()
    const everything = waiting.size === 0 || nowMs - seenAllMs >= lookAtAllMs
    const after = everything ? '' : timeOf(Math.max(0, seenUntilMs - lateMs))
    const found = await dueDestinations(ports, queue, after)
    const fresh = found.filter((destination) => !waiting.has(destination))
    const names = fresh.length > 0 ? await sitesOf(fresh) : []
    for (const [i, destination] of fresh.entries()) waiting.set(destination, siteNamed(names[i]!))
    seenUntilMs = nowMs
    if (!everything) return
    seenAllMs = nowMs
    forgetSites(nowMs)
  }

  function forgetSites(nowMs: number): void {
    for (const [name, site] of sites)
      if (site.running === 0 && nowMs - site.lastUsedMs > forgottenAfterMs) sites.delete(name)
  }

  function start(job: Job, site: Site): void {
    const done = holder.run(job, (leased, signal) => work(leased, site, signal))
    void done.then(() => {
      site.running -= 1
      wake('fill')
    })
  }

  /** Leases as many jobs of one destination as there are free slots. */
  async function take(destination: string, site: Site, room: number): Promise<void> {
    try {
      const jobs = await leaseJobs(ports, queue, room, leaseMs, { except: holder.overdue(), destination })
      // It moves to the end of the queue if it may have more jobs.
      waiting.delete(destination)
      if (jobs.length === room) waiting.set(destination, site)
      site.running -= room - jobs.length
      for (const job of jobs) start(job, site)
    } catch (error) {
      site.running -= room
      throw error
    }
  }

  async function fill(): Promise<void> {
    const taking: Promise<void>[] = []
    let free = concurrency - holder.size
    for (const [destination, site] of waiting) {
      if (free <= 0 || closing) break
      const room = Math.min(free, site.room(ports.clock.now()))
      if (room <= 0) continue
      site.running += room
      free -= room
      taking.push(take(destination, site, room))
    }
    const failed = (await Promise.allSettled(taking)).find((one) => one.status === 'rejected')
    if (failed) throw failed.reason
    // Slots reserved for destinations without jobs go to the next in the queue.
    if (free <= 0 && holder.size < concurrency) asked = asked === 'nothing' ? 'fill' : asked
  }

  const poller = createPoller({
    clock: ports.clock,
    askAll() {
      asked = 'find'
    },
    isAsked: () => asked !== 'nothing',
    async poll() {
      const isNew = asked === 'find'
      asked = 'nothing'
      if (isNew) await find()
      await fill()
    },
    onError: (error) => ports.logger.error({ error, queue }, 'the queue could not be read'),
  })

  function wake(ask: 'fill' | 'find'): void {
    if (asked !== 'find') asked = ask
    poller.wake()
  }

  const unsubscribe = ports.signals.subscribe(queueTopic(queue), () => wake('find'))
  poller.wake()

  return {
    async close(graceMs = 5_000) {
      closing = true
      unsubscribe()
      await poller.close()
      await holder.close(graceMs)
    },
  }
}
