import type { DomainRow } from './domain-records'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Soon after the records were shown: whoever has them published waits for it. */
export const firstCheckMs = minuteMs

/** A domain whose record of ownership is not there for this long is no longer sent from. */
export const lostAfterMs = 3 * dayMs

/**
 * How long after a check the next one comes: daily for what is fine, hourly for what is not, and for a new domain
 * the longer the older it is.
 */
export function nextCheckMs(row: DomainRow, nowMs: number): number {
  if (row.status === 'verified') return row.lost_since === null ? dayMs : hourMs
  const sinceMs = nowMs - Date.parse(row.lost_since ?? row.created_at)
  return Math.min(dayMs, Math.max(firstCheckMs, sinceMs / 2))
}
