import { setPriority } from 'node:os'

let isNice = false

/** Lets others go first, in a thread. On Linux it has a priority of its own; elsewhere that of the process would change. */
export function beNice(): void {
  if (isNice || process.platform !== 'linux') return
  isNice = true
  try {
    setPriority(19)
  } catch {}
}
