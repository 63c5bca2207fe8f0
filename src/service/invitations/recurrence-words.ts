const units: Record<string, string> = {
  ...{ DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' },
  ...{ HOURLY: 'hour', MINUTELY: 'minute', SECONDLY: 'second' },
}
const days: Record<string, string> = {
  ...{ MO: 'Monday', TU: 'Tuesday', WE: 'Wednesday', TH: 'Thursday', FR: 'Friday' },
  ...{ SA: 'Saturday', SU: 'Sunday' },
}
const months = 'January February March April May June July August September October November December'.split(
  ' ',
)
const workdays = 'MO,TU,WE,TH,FR'

/** Joins words as a sentence does: `a, b and c`. */
const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** Returns an ordinal: `1st`, and `last` for -1. */
function ordinal(number: number): string {
  if (number === -1) return 'last'
  if (number < 0) return `${ordinal(-number)} to last`
  const ends = ['th', 'st', 'nd', 'rd']
  return `${number}${(number % 100 > 10 && number % 100 < 14 ? 'th' : ends[number % 10]) ?? 'th'}`
}

function dayWords(day: string): string {
  const found = /^([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)$/.exec(day)
  if (!found) return day
  const name = days[found[2]!]!
  return found[1] ? `the ${ordinal(Number(found[1]))} ${name}` : name
}

const split = (value: string | undefined): string[] => (value ? value.split(',').slice(0, 31) : [])

const dateWords = (value: string): string => value.replace(/^(\d{4})-?(\d{2})-?(\d{2})(?=T|$).*$/, '$1-$2-$3')

/** Returns the parts of a rule by name. */
export const ruleParts = (rule: string): Record<string, string> =>
  Object.fromEntries(
    rule
      .toUpperCase()
      .split(';')
      .slice(0, 20)
      .map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  )

function onDays({ BYDAY, BYSETPOS, FREQ }: Record<string, string>): string {
  if (!BYDAY) return ''
  const position = BYSETPOS && FREQ !== 'WEEKLY' ? split(BYSETPOS).map(Number).map(ordinal) : []
  const isWorkdays = split(BYDAY).sort().join() === workdays.split(',').sort().join()
  if (isWorkdays) return position.length > 0 ? ` on the ${listed(position)} weekday` : ' on weekdays'
  const named = split(BYDAY).map(dayWords)
  return position.length > 0 ? ` on the ${listed(position)} ${listed(named)}` : ` on ${listed(named)}`
}

/** Describes a recurrence rule in English: `every 2 weeks on Monday and Friday, until 2026-12-31`. */
export function recurrenceWords(rule: string): string {
  const parts = ruleParts(rule)
  const unit = units[parts.FREQ ?? '']
  if (!unit) return 'repeats'
  const interval = Number(parts.INTERVAL ?? 1)
  const every = interval > 1 ? `every ${interval} ${unit}s` : `every ${unit}`
  const inMonths = split(parts.BYMONTH).flatMap((month) => months[Number(month) - 1] ?? [])
  const monthDays = split(parts.BYMONTHDAY).map((day) => ordinal(Number(day)))
  return [
    every,
    onDays(parts),
    monthDays.length > 0 ? ` on the ${listed(monthDays)} day` : '',
    inMonths.length > 0 ? ` in ${listed(inMonths)}` : '',
    parts.COUNT ? `, ${parts.COUNT.slice(0, 6)} times` : '',
    parts.UNTIL ? `, until ${dateWords(parts.UNTIL)}` : '',
  ].join('')
}
