import type { Clock } from '../ports'

export { dayMs, hourMs, minuteMs, systemClock } from '../../protocol/time/clock'

/** Formats a time as ISO 8601 in UTC, as in the database and on the wire. */
export const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** Returns the current time as in the database and on the wire. */
export const now = ({ clock }: { readonly clock: Clock }): string => timeOf(clock.now())
