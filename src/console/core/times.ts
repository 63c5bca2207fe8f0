/** Saves a file without showing it. Frees its URL after a minute, when the browser has surely begun. */
export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Formats a time as briefly as is clear: clock time today, day this year, else day with year. */
export function shortTime(time: string): string {
  const date = new Date(time)
  const now = new Date()
  if (date.toDateString() === now.toDateString()) return clock.format(date)
  return (date.getFullYear() === now.getFullYear() ? day : dayOfYear).format(date)
}

export const fullTime = (time: string): string => whole.format(new Date(time))

export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Formats a duration: `4.2 s`, `3 min`, `2 h`. */
export function durationText(ms: number): string {
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`
  const minutes = Math.round(ms / 60_000)
  return minutes < 60 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** Formats the time since a moment: `3 hours`. */
export function ageOf(time: string): string {
  const ms = Date.now() - Date.parse(time)
  const [unit, size] = units.find(([, one]) => ms >= one) ?? ['minute', 60_000]
  const count = Math.max(1, Math.floor(ms / size))
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
