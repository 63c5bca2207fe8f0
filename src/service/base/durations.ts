import { dayMs, hourMs, minuteMs } from './time'

const unitMs: Record<string, number> = { m: minuteMs, h: hourMs, d: dayMs }

/** Returns the length of a duration such as `30m`, `24h` or `7d`, in ms. */
export const durationMs = (text: string): number => Number(text.slice(0, -1)) * unitMs[text.at(-1)!]!
