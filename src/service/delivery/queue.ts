import { type Core, timeOf } from '../core/context'
import { createJobHolder, leaseMs } from '../core/job-holder'
import type { JobRunner } from '../core/job-runner'
import { dueDestinations, type Job, leaseJobs, queueTopic } from '../core/jobs'
import { createLookout } from '../core/lookout'
import { Site } from './site'

/** Options of {@link createDeliveryQueue}. */
export interface DeliveryQueueOptions {
  core: Core
  /** Where mail for each domain goes: what has the same name shares one limit. */
  sitesOf(destinations: readonly string[]): Promise<readonly string[]>
  work(job: Job, site: Site, signal: AbortSignal): Promise<void>
  /** How many deliveries run at once, over all sites; 200. */
  concurrency?: number
}

const queue = 'delivery'

/** What to look at next: `fill` takes from what was found, `find` looks for more before. */
type Ask = 'nothing' | 'fill' | 'find'

/** A transaction may commit this long after the time that its jobs are due. */
const lateMs = 10_000
/** How often leases are looked for that ran out, or were given back elsewhere. */
const lookAtAllMs = 30_000
const forgottenAfterMs = 60 * 60_000

/**
 * Works the mail that leaves, site by site: each has as many deliveries at once as it has shown to take, so that a
 * slow or dead one holds up nobody else.
 */
export function createDeliveryQueue(options: DeliveryQueueOptions): JobRunner {
  const { core, sitesOf, work, concurrency = 200 } = options
  const holder = createJobHolder(core, queue)
  const sites = new Map<string, Site>()
  /** Destinations that may have something due, with their site, those that waited longest first. */
  const waiting = new Map<string, Site>()
  let seenUntilMs = 0
  let seenAllMs = Number.NEGATIVE_INFINITY
  let asked: Ask = 'find'
  let closing = false

  function siteNamed(name: string): Site {
    const site = sites.get(name) ?? new Site()
    site.lastUsedMs = core.clock.now()
    sites.set(name, site)
    return site
  }

  /**
   * Finds which destinations have something due. What was seen before is looked through again where nothing waits,
   * which costs nothing, and else now and then.
   */
  async function find(): Promise<void> {
    const nowMs = core.clock.now()
    const everything = waiting.size === 0 || nowMs - seenAllMs >= lookAtAllMs
    const after = everything ? '' : timeOf(Math.max(0, seenUntilMs - lateMs))
    const found = await dueDestinations(core, queue, after)
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
      const jobs = await leaseJobs(core, queue, room, leaseMs, destination)
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
      const room = Math.min(free, site.room(core.clock.now()))
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

  const lookout = createLookout({
    clock: core.clock,
    askAll() {
      asked = 'find'
    },
    isAsked: () => asked !== 'nothing',
    async look() {
      const isNew = asked === 'find'
      asked = 'nothing'
      if (isNew) await find()
      await fill()
    },
    onError: (error) => core.logger.error({ error, queue }, 'the queue could not be read'),
  })

  function wake(ask: 'fill' | 'find'): void {
    if (asked !== 'find') asked = ask
    lookout.wake()
  }

  const unsubscribe = core.signals.subscribe(queueTopic(queue), () => wake('find'))
  lookout.wake()

  return {
    async close(graceMs = 5_000) {
      closing = true
      unsubscribe()
      await lookout.close()
      await holder.close(graceMs)
    },
  }
}
