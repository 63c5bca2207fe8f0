import { createRequire } from 'node:module'
import type Piscina from 'piscina'
import { loadLater, once } from '../../base'
import type { ThreadTask, ThreadWork, WorkName } from './thread'

/** The threads that learn, embed and search, so that the service's own has nothing of it to do. None runs unasked. */
export interface Threads {
  /** Asks the thread that a search waits for. */
  search<Name extends WorkName>(
    name: Name,
    asked: ThreadWork[Name]['asked'],
  ): Promise<ThreadWork[Name]['answer']>
  /** Asks the thread that leaves the processor to others. */
  background<Name extends WorkName>(
    name: Name,
    asked: ThreadWork[Name]['asked'],
  ): Promise<ThreadWork[Name]['answer']>
  /** Ends them, whatever they are at. */
  close(): Promise<void>
}

const loadPiscina = loadLater(() => import('piscina'))

/** What a thread holds is read again in a moment, and takes memory meanwhile. */
const idleTimeoutMs = 60_000
const maxMemoryMb = 512

/** Makes the threads; the module that they run is this package's own. */
export function createThreads(): Threads {
  const filename = createRequire(import.meta.url).resolve('#semantic-thread')
  const started: Piscina[] = []

  const one = (background: boolean) => {
    const start = async () => {
      const { Piscina } = await loadPiscina()
      const resourceLimits = { maxOldGenerationSizeMb: maxMemoryMb, maxYoungGenerationSizeMb: 16 }
      const pool = new Piscina({
        filename,
        minThreads: 0,
        maxThreads: 1,
        idleTimeout: idleTimeoutMs,
        execArgv: [],
        resourceLimits,
      })
      // A thread that could not start: the pool would start no other.
      pool.on('error', () => {
        thread = once(start)
        pool.destroy().catch(() => {})
      })
      started.push(pool)
      return pool
    }
    let thread = once(start)
    return async <Name extends WorkName>(
      name: Name,
      asked: ThreadWork[Name]['asked'],
    ): Promise<ThreadWork[Name]['answer']> => {
      const task: ThreadTask<Name> = { name, asked, background }
      return (await thread()).run(task)
    }
  }

  return {
    search: one(false),
    background: one(true),
    async close() {
      await Promise.all(started.map((pool) => pool.destroy()))
    },
  }
}
