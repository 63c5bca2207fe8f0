import { hourMs, minuteMs } from '../base'

const secondMs = 1_000

/** The pause before each attempt, from the one before it. */
export const attemptDelaysMs = [
  0,
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
] as const

/** A delay is longer by up to this part of it, so that what failed together does not come back together. */
export const maxJitter = 0.1

/**
 * The pause after so many attempts that failed, in ms; null where there is no further one.
 *
 * @param random From 0 to 1.
 */
export function nextDelayMs(failures: number, random = Math.random()): number | null {
  const delayMs = attemptDelaysMs[failures]
  return delayMs === undefined ? null : Math.round(delayMs * (1 + maxJitter * random))
}

/** An endpoint is given up where every attempt has failed for this long. */
export const giveUpAfterMs = 5 * 24 * hourMs
/** Two failures that are further apart than any delay tell nothing of the time between them. */
export const maxGapMs = 2 * 24 * hourMs
