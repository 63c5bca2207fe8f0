import { hourMs, minuteMs } from '../base/time'

const secondMs = 1_000

/** Delay in ms before each attempt, from the one before. */
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

/** Maximum jitter as a part of a delay, so that attempts that failed together do not repeat together. */
export const maxJitter = 0.1

/**
 * Returns the delay in ms after this many failed attempts; null if there are no more.
 *
 * @param random From 0 to 1.
 */
export function nextDelayMs(failures: number, random = Math.random()): number | null {
  const delayMs = attemptDelaysMs[failures]
  return delayMs === undefined ? null : Math.round(delayMs * (1 + maxJitter * random))
}

/** Time in ms after which a webhook whose attempts all failed is disabled. */
export const giveUpAfterMs = 5 * 24 * hourMs
/**
 * Longest gap in ms between two failures, above any delay; a longer one says nothing about the time between.
 */
export const maxGapMs = 2 * 24 * hourMs
