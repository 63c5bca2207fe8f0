import type { Clock } from '../ports'

export { dayMs, hourMs, minuteMs, systemClock } from '../../protocol/time'

/** Writes a time as the database and the wire have it: ISO 8601 in UTC. */
export const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** Tells the present time as the database and the wire have it. */
export const now = ({ clock }: { readonly clock: Clock }): string => timeOf(clock.now())
