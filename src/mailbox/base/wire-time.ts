import { UsageError } from '../../protocol/errors'

/**
 * Writes a time as the wire has it.
 *
 * @param name The option that gives it.
 * @throws UsageError `invalid_options` for no time, and for one without a zone: it would mean another here than there
 */
export function wireTime(name: string, time: Date | string): string {
  const hasZone = typeof time !== 'string' || /T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(time)
  const read = new Date(time)
  if (hasZone && !Number.isNaN(read.getTime())) return read.toISOString()
  throw new UsageError(
    'invalid_options',
    `${name} takes a Date, or a time with its zone such as 2026-01-31T09:00:00+01:00, not ${String(time).slice(0, 60)}`,
  )
}
