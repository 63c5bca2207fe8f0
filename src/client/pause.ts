import type { Clock } from './clock'
import { onAbort } from './on-abort'

/** Resolves after so long, or as soon as the signal aborts: ask that which it was. */
export const pause = (clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      cancel()
      stop()
      resolve()
    }
    const cancel = clock.after(delayMs, end)
    // Not yet there when the signal has aborted already.
    let stop = () => {}
    stop = onAbort(signal, end)
  })
