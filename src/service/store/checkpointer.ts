import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

/** Keeps the write-ahead log short during many writes. */
export interface Checkpointer {
  /** Counts a commit. */
  committed(): void
  close(): Promise<void>
}

const commitsBetween = 64
const floodMs = 2_000
const idleMs = 30_000

/**
 * Copies commits from the write-ahead log into the database file in a separate thread: many messages would
 * wait for that a fifth of their time. With few writes, SQLite does it by itself.
 */
export function createCheckpointer(file: string): Checkpointer {
  const module = createRequire(import.meta.url).resolve('#checkpoint-thread')
  let thread: Worker | undefined
  let commits = 0
  let since = 0
  let busy = false
  let idle: NodeJS.Timeout | undefined

  async function stop(): Promise<void> {
    clearTimeout(idle)
    const ending = thread
    if (!ending) return
    thread = undefined
    // Not `terminate`: libsql ends the process if it is cut off at work.
    ending.ref()
    ending.postMessage('end')
    await new Promise((resolve) => ending.once('exit', resolve))
  }

  function start(): Worker {
    const worker = new Worker(module, { workerData: file })
    worker.unref()
    worker.on('message', () => {
      busy = false
    })
    // SQLite then does it by itself.
    worker.on('error', () => {
      thread = undefined
      busy = false
    })
    return worker
  }

  return {
    committed() {
      if (++commits < commitsBetween) return
      const now = performance.now()
      const isFlood = now - since < floodMs
      commits = 0
      since = now
      if (!isFlood || busy) return
      thread ??= start()
      busy = true
      thread.postMessage('checkpoint')
      clearTimeout(idle)
      idle = setTimeout(stop, idleMs).unref()
    },
    close: stop,
  }
}
