import { createRequire } from 'node:module'
import type Piscina from 'piscina'
import { loadLater, once } from './load-later'

const loadPiscina = loadLater(() => import('piscina'))

/** Time in ms after which an idle thread ends: it uses memory, and its data is soon read again. */
const idleTimeoutMs = 60_000
const maxMemoryMb = 512

/** Runs tasks one after the other, in a thread. */
export interface OneThread<Task, Answer> {
  run(task: Task): Promise<Answer>
  /** Ends the thread, even during a task. */
  close(): Promise<void>
}

/**
 * Creates a thread for a module of this package, such as `#words-thread`. It starts with its first task, and
 * ends after an idle minute.
 */
export function oneThread<Task, Answer>(module: string): OneThread<Task, Answer> {
  const started: Piscina<Task, Answer>[] = []
  let isClosed = false
  const start = async () => {
    const { Piscina } = await loadPiscina()
    if (isClosed) throw new Error('the thread is closed')
    const resourceLimits = { maxOldGenerationSizeMb: maxMemoryMb, maxYoungGenerationSizeMb: 16 }
    const pool = new Piscina<Task, Answer>({
      filename: createRequire(import.meta.url).resolve(module),
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: idleTimeoutMs,
      execArgv: [],
      resourceLimits,
    })
    // If a thread could not start, the pool would start no other.
    pool.on('error', () => {
      thread = once(start)
      pool.destroy().catch(() => {})
    })
    started.push(pool)
    return pool
  }
  let thread = once(start)
  return {
    run: async (task) => (await thread()).run(task),
    async close() {
      isClosed = true
      await Promise.all(started.map((pool) => pool.destroy()))
    },
  }
}
