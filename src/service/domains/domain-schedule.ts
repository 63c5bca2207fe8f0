import { dayMs, hourMs, minuteMs } from '../base'
import type { DomainRow } from './domain-records'

/** Time in ms until the first check: short, since a person waits for it. */
export const firstCheckMs = minuteMs

/** Time in ms after which a domain without its ownership record can no longer send. */
export const lostAfterMs = 3 * dayMs

/**
 * Returns the time in ms until the next check: a day if verified, an hour if its ownership record is missing.
 * Otherwise it is half the time since its creation or loss, from a minute to a day.
 */
export function nextCheckMs(row: DomainRow, nowMs: number): number {
  if (row.status === 'verified') return row.lost_since === null ? dayMs : hourMs
  const sinceMs = nowMs - Date.parse(row.lost_since ?? row.created_at)
  return Math.min(dayMs, Math.max(firstCheckMs, sinceMs / 2))
}
