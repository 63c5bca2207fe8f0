/** Milliseconds of a minute, an hour and a day. */
export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** Time and randomness, for the mailbox and the service alike, so that tests can control them. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds that never decrease, to measure durations. Default: `now`. */
  monotonic?(): number
  /** Calls back once after `delayMs`; keeps the process alive. The returned function cancels. */
  after(delayMs: number, callback: () => void): () => void
  /** Like `after`, but the process may end before. */
  background(delayMs: number, callback: () => void): () => void
  /**
   * Like `background`, for a check that finds nothing while nothing happens. A test clock may skip such
   * checks, and passes the skipped time, in milliseconds, to the next one.
   */
  idle?(delayMs: number, callback: (skippedMs?: number) => void): () => void
  /** At least 0, less than 1. */
  random(): number
}

/** Returns the time for measuring durations: a wall clock may be changed meanwhile. */
export const monotonicNow = (clock: Clock): number => clock.monotonic?.() ?? clock.now()

/** Calls back once after `delayMs`, by {@link Clock.idle} if the clock has it. */
export const idle = (clock: Clock, delayMs: number, callback: (skippedMs?: number) => void): (() => void) =>
  clock.idle?.(delayMs, callback) ?? clock.background(delayMs, callback)

const after = (delayMs: number, callback: () => void) => {
  const timer = setTimeout(callback, delayMs)
  return { timer, cancel: () => clearTimeout(timer) }
}

/** The clock of the platform. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (delayMs, callback) => after(delayMs, callback).cancel,
  background: (delayMs, callback) => {
    const { timer, cancel } = after(delayMs, callback)
    // Browsers and workers return a number, which keeps nothing alive.
    ;(timer as { unref?: () => void }).unref?.()
    return cancel
  },
  random: () => Math.random(),
}
