import { UsageError } from 'restante'

/** A date, or a time, which is in UTC where it does not say otherwise. @throws UsageError `invalid_date` */
export function readTime(text: string, name: string): Date {
  const hasNoZone = /T[\d:.]+$/i.test(text)
  const read = new Date(hasNoZone ? `${text}Z` : text)
  if (!Number.isNaN(read.getTime())) return read
  throw new UsageError('invalid_date', `${name} takes a date such as 2026-01-31 or 2026-01-31T12:00:00Z`)
}

/**
 * A time that is yet to come: whoever writes a past one has today's date wrong, and means no mail now.
 *
 * @throws UsageError `invalid_date`, `time_passed`
 */
export function readFutureTime(text: string, name: string): Date {
  const time = readTime(text, name)
  const now = new Date()
  if (time > now) return time
  throw new UsageError(
    'time_passed',
    `${name} ${time.toISOString()} has passed, and nothing was sent: it is ${now.toISOString()} now. Give a later time, or leave it out to send at once`,
  )
}
