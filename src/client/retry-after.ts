/** Milliseconds to wait by a `Retry-After` header, seconds or a date (RFC 9110 section 10.2.3). */
export const retryAfterMs = (value: string | null, nowMs: number = Date.now()): number | undefined => {
  if (!value) return undefined
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Math.ceil(Number(value) * 1_000)
  const date = /^[A-Z]/i.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs)
}
