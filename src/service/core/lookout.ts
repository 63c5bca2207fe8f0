import type { Clock } from '../ports'

/** How often somebody looks whom nobody woke. */
export const lookAgainMs = 5_000

export interface LookoutOptions {
  clock: Clock
  /** Asks for a look at everything. */
  askAll(): void
  /** Whether anything is asked for that can be looked at now. */
  isAsked(): boolean
  /** Takes what is asked for, and looks at it. */
  look(): Promise<void>
  onError(error: unknown): void
}

/** Looks at what may be due. */
export interface Lookout {
  /** Looks soon, if anything is asked for. */
  wake(): void
  /** Looks no more; resolves once a look that was under way is over. */
  close(): Promise<void>
}

/**
 * Looks when it is woken, never twice at once, and at everything every few seconds, so that a lost wake-up, or a
 * process that was killed, costs time only.
 */
export function createLookout({ clock, askAll, isAsked, look, onError }: LookoutOptions): Lookout {
  let closing = false
  let looking: Promise<void> | undefined
  let cancelTimer = () => {}

  /** Ends in the same turn in which it sees that nobody asks: no wake-up falls between. */
  async function lookWhileAsked(): Promise<void> {
    cancelTimer()
    while (isAsked() && !closing) {
      const startedMs = clock.now()
      await look().catch(onError)
      // What became due while it looked is not among what it saw.
      if (clock.now() - startedMs >= lookAgainMs) askAll()
    }
    looking = undefined
    if (!closing) cancelTimer = clock.after(lookAgainMs, lookAtAll)
  }

  function wake(): void {
    if (!closing && !looking && isAsked()) looking = lookWhileAsked()
  }

  function lookAtAll(): void {
    askAll()
    wake()
  }

  return {
    wake,
    async close() {
      closing = true
      cancelTimer()
      await looking
    },
  }
}
