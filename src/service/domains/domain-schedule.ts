import { dayMs, hourMs, minuteMs } from '../base'
import type { DomainRow } from './domain-records'

/** The time until the first check: short, since whoever has published the records waits for it. */
export const firstCheckMs = minuteMs

/** The time after which a domain without its record of ownership is no longer sent from. */
export const lostAfterMs = 3 * dayMs

/**
 * The time between a check and the next: a day for what is fine, an hour for what is not, and for a new domain the
 * longer the older it is.
 */
export function nextCheckMs(row: DomainRow, nowMs: number): number {
  if (row.status === 'verified') return row.lost_since === null ? dayMs : hourMs
  const sinceMs = nowMs - Date.parse(row.lost_since ?? row.created_at)
  return Math.min(dayMs, Math.max(firstCheckMs, sinceMs / 2))
}
