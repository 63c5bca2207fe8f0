import { idle } from '../../protocol/time'
import type { Clock } from '../ports'

/** The time between two polls when nothing wakes the poller. */
export const pollEveryMs = 5_000

interface PollerOptions {
  clock: Clock
  /** Asks for a poll of everything. */
  askAll(): void
  /** True when something is asked for that can be polled now. */
  isAsked(): boolean
  /** Takes what is asked for, and does it. */
  poll(): Promise<void>
  onError(error: unknown): void
}

/** Polls for work that may be due. */
export interface Poller {
  /** Polls soon, if anything is asked for. */
  wake(): void
  /** Polls no more; resolves once a poll that was under way is over. */
  close(): Promise<void>
}

/**
 * Polls when it is woken, never twice at once, and everything every few seconds, so that a lost wake-up, or a
 * process that was killed, costs time only.
 */
export function createPoller({ clock, askAll, isAsked, poll, onError }: PollerOptions): Poller {
  let closing = false
  let polling: Promise<void> | undefined
  let cancelTimer = () => {}
  /** The time of the next look at everything: wake-ups, however many, do not put it off. */
  let allAtMs = clock.now() + pollEveryMs

  /**
   * Polls while anything is asked for. It ends in the same turn in which it sees that nothing is, so that no wake-up
   * falls between.
   */
  async function pollWhileAsked(): Promise<void> {
    cancelTimer()
    while (isAsked() && !closing) {
      await poll().catch(onError)
      if (clock.now() >= allAtMs) lookAtAll()
    }
    polling = undefined
    const leftMs = Math.max(0, allAtMs - clock.now())
    // A clock that was set back must not put it off either.
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
