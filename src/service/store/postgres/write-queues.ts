/** Runs the work of a queue, a few pieces at a time. */
export type InQueue = <T>(queue: string, work: () => Promise<T>) => Promise<T>

/** Work per queue: one waits for the lock while another holds it. */
const maxAtOnce = 2
/** Connections that all queues blocked by a hanging process may use together. */
const maxRetries = 2
/** Limit in ms, above the 10 s after which PostgreSQL ends a transaction in which a process hangs. */
const maxBlockedMs = 12_000

interface Waiting {
  start(): void
  fail(error: unknown): void
}

interface Queue {
  running: number
  waiting: Waiting[]
  /** Time since which a hanging process holds its lock; null while none does. */
  blockedSinceMs: number | null
}

/** Checks whether the wait for a lock timed out. */
const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown }).code === '55P03'

const createQueue = (): Queue => ({ running: 0, waiting: [], blockedSinceMs: null })

const maxRunning = ({ blockedSinceMs }: Queue) => (blockedSinceMs === null ? maxAtOnce : 1)

/** Waits until the queue can run one more. Work that has begun goes first. */
function enter(queue: Queue, max: number, isFirst: boolean): Promise<void> | undefined {
  if (queue.running < max) {
    queue.running += 1
    return undefined
  }
  return new Promise((resolve, reject) => {
    queue.waiting[isFirst ? 'unshift' : 'push']({ start: resolve, fail: reject })
  })
}

/** Starts waiting work as far as the limit allows. */
function leave(queue: Queue, max: number): void {
  queue.running -= 1
  while (queue.running < max && queue.waiting.length > 0) {
    queue.running += 1
    queue.waiting.shift()!.start()
  }
}

/**
 * Queues work that needs the same lock in memory, before it takes a connection. While a hanging process holds
 * the lock, its queue retries one by one, and all such queues together a few at a time. After 12 s the
 * waiting work is refused.
 */
export function createWriteQueues(nowMs = () => performance.now()): InQueue {
  const queues = new Map<string, Queue>()
  const retries = createQueue()

  async function retry<T>(work: () => Promise<T>): Promise<T> {
    await enter(retries, maxRetries, false)
    return work().finally(() => leave(retries, maxRetries))
  }

  /** Notes that the lock is held. @returns Whether to try again. */
  function isBlocked(queue: Queue, beganMs: number, error: unknown): boolean {
    queue.blockedSinceMs ??= beganMs
    if (nowMs() - queue.blockedSinceMs < maxBlockedMs) return true
    for (const { fail } of queue.waiting.splice(0)) fail(error)
    return false
  }

  async function runIn<T>(queue: Queue, work: () => Promise<T>): Promise<T> {
    for (let isFirst = false; ; isFirst = true) {
      await enter(queue, maxRunning(queue), isFirst)
      const beganMs = nowMs()
      try {
        const result = await (queue.blockedSinceMs === null ? work() : retry(work))
        queue.blockedSinceMs = null
        return result
      } catch (error) {
        if (!isLockTimeout(error)) queue.blockedSinceMs = null
        else if (isBlocked(queue, beganMs, error)) continue
        throw error
      } finally {
        leave(queue, maxRunning(queue))
      }
    }
  }

  return async (name, work) => {
    const queue = queues.get(name) ?? createQueue()
    queues.set(name, queue)
    try {
      return await runIn(queue, work)
    } finally {
      if (queue.running === 0 && queue.waiting.length === 0) queues.delete(name)
    }
  }
}
