import { UsageError } from '../../protocol/errors/error'

/**
 * Formats a time for the wire (ISO 8601 in UTC).
 *
 * @param name Name of the option that has it.
 * @throws UsageError `invalid_options` for an invalid time, or one without a zone, which would depend on the
 *   machine
 */
export function wireTime(name: string, time: Date | string): string {
  const hasZone = typeof time !== 'string' || /^[^T]*T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(time)
  const read = new Date(time)
  if (hasZone && !Number.isNaN(read.getTime())) return read.toISOString()
  throw new UsageError(
    'invalid_options',
    `${name} takes a Date, or a time with its zone such as 2026-01-31T09:00:00+01:00, not ${String(time).slice(0, 60)}`,
  )
}
