import { createRequire } from 'node:module'
import { Piscina } from 'piscina'
import { once } from './load-later'

const maxMemoryMb = 512

/** Runs tasks one after the other, in a thread. */
export interface OneThread<Task, Answer> {
  run(task: Task, signal?: AbortSignal): Promise<Answer>
  /** Ends the thread, even during a task. */
  close(): Promise<void>
}

/**
 * Creates a thread for a module of this package, such as `#search-thread`. It starts with its first task, and
 * ends once it was idle for a time in ms: it uses memory, and its data is soon read again.
 */
export function oneThread<Task, Answer>(module: string, idleTimeoutMs = 60_000): OneThread<Task, Answer> {
  const started: Piscina<Task, Answer>[] = []
  let isClosed = false
  const start = async () => {
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
    run: async (task, signal) => (await thread()).run(task, { signal: signal ?? null }),
    async close() {
      isClosed = true
      await Promise.all(started.map((pool) => pool.destroy()))
    },
  }
}
