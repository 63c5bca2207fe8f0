import { setPriority } from 'node:os'

let isNice = false

/**
 * Lowers the priority of a worker thread. On Linux a thread has its own priority; elsewhere the process would
 * change.
 */
export function beNice(): void {
  if (isNice || process.platform !== 'linux') return
  isNice = true
  try {
    setPriority(19)
  } catch {}
}
