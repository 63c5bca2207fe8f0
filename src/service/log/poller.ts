import { idle } from '../../protocol/time/clock'
import type { Clock } from '../ports'

/** Time between two polls when nothing wakes the poller. */
export const pollEveryMs = 5_000

interface PollerOptions {
  clock: Clock
  /** Requests a poll of everything. */
  askAll(): void
  /** True if a poll was requested and can run now. */
  isAsked(): boolean
  /** Takes the requests, and polls for them. */
  poll(): Promise<void>
  onError(error: unknown): void
}

/** Polls for work that may be due. */
export interface Poller {
  /** Polls soon, if a poll was requested. */
  wake(): void
  /** Stops polling; resolves once a running poll is over. */
  close(): Promise<void>
}

/**
 * Creates a poller: it polls when woken, never twice at once, and everything every few seconds. A lost
 * wake-up or a killed process costs only time.
 */
export function createPoller({ clock, askAll, isAsked, poll, onError }: PollerOptions): Poller {
  let closing = false
  let polling: Promise<void> | undefined
  let cancelTimer = () => {}
  /** Time of the next poll of everything, which wake-ups do not postpone. */
  let allAtMs = clock.now() + pollEveryMs

  /**
   * Polls while a poll is requested. It ends in the turn in which it sees no request, so that no wake-up is
   * lost.
   */
  async function pollWhileAsked(): Promise<void> {
    cancelTimer()
    while (isAsked() && !closing) {
      await poll().catch(onError)
      if (clock.now() >= allAtMs) lookAtAll()
    }
    polling = undefined
    const leftMs = Math.max(0, allAtMs - clock.now())
    // A clock that was set back must not postpone it either.
    if (!closing) cancelTimer = idle(clock, Math.min(leftMs, pollEveryMs), pollAll)
  }

  function wake(): void {
    if (!closing && !polling && isAsked()) polling = pollWhileAsked()
  }

  function lookAtAll(): void {
    allAtMs = clock.now() + pollEveryMs
    askAll()
  }

  function pollAll(): void {
    lookAtAll()
    wake()
  }

  return {
    wake,
    async close() {
      closing = true
      cancelTimer()
      await polling
    },
  }
}
