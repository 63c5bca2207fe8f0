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
  /** Names the site that mail for each domain goes to; what has the same name shares one limit. */
  sitesOf(destinations: readonly string[]): Promise<readonly string[]>
  work(job: Job, site: Site, signal: AbortSignal): Promise<void>
  /** Deliveries that run at once, over all sites; 200. */
  concurrency?: number
}

const queue = 'delivery'

/** The next thing to do: `fill` takes from what was found, `find` looks for more before. */
type Ask = 'nothing' | 'fill' | 'find'

/** The longest time from when jobs are due to the commit of their transaction. */
const lateMs = 10_000
/** The pause between two looks for leases that ran out, or were given back elsewhere. */
const lookAtAllMs = 5_000
const forgottenAfterMs = hourMs

/**
 * Works the mail that leaves, site by site: each has as many deliveries at once as it has shown to take, so that a
 * slow or dead one holds up nobody else.
 */
export function createDeliveryQueue(options: DeliveryQueueOptions): JobRunner {
  const { ports, sitesOf, work, concurrency = 200 } = options
  const holder = createJobHolder(ports, queue)
  const sites = new Map<string, Site>()
  /** Destinations that may have something due, with their site, those that waited longest first. */
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
   * Finds destinations that have something due. What was seen before is looked through again where nothing waits,
   * which costs nothing, and else now and then.
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

  /** Takes what there is room for at one destination. */
  async function take(destination: string, site: Site, room: number): Promise<void> {
    try {
      const jobs = await leaseJobs(ports, queue, room, leaseMs, { except: holder.overdue(), destination })
      // It goes to the end of the line where it may have more.
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
    // What was set aside for destinations that had nothing is for the next in line.
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
