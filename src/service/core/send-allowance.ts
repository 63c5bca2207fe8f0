const dayMs = 86_400_000

/** How much may be sent in a day: a ramp of the first days, and what holds always. */
export interface Allowance {
  /** By 24 hours since sending began. */
  ramp: readonly number[]
  /** Null where there is no limit. */
  perDay: number | null
  /** When sending began, in milliseconds. */
  sinceMs: number
}

/** The day of UTC that a time lies in, as counts are kept by it. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** When the day of UTC ends that a time lies in. */
const endOfDay = (ms: number): number => (Math.floor(ms / dayMs) + 1) * dayMs

const step = ({ sinceMs }: Allowance, atMs: number): number =>
  Math.max(0, Math.floor((atMs - sinceMs) / dayMs))

/** What may be sent in the day, and whether that is so because sending began a short while ago. */
export function allowedAt(allowance: Allowance, atMs: number): { most: number; warming: boolean } {
  const always = allowance.perDay ?? Number.POSITIVE_INFINITY
  const now = allowance.ramp[step(allowance, atMs)] ?? Number.POSITIVE_INFINITY
  return { most: Math.min(always, now), warming: now < always }
}

/**
 * When so much more may be sent: at the end of the day, which begins anew at nothing, or where the ramp rises.
 * Null where that much is never allowed in a day.
 */
export function whenAllowed(
  allowance: Allowance,
  nowMs: number,
  { sent, wanted }: { sent: number; wanted: number },
): number | null {
  const tomorrow = endOfDay(nowMs)
  const rises = allowance.ramp
    .map((_, index) => allowance.sinceMs + (index + 1) * dayMs)
    .filter((at) => at > nowMs)
  const moments = [tomorrow, ...rises].sort((a, b) => a - b)
  const fits = (at: number) => (at < tomorrow ? sent : 0) + wanted <= allowedAt(allowance, at).most
  return moments.find(fits) ?? null
}
