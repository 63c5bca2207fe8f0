/** Bounds of the waits between attempts. */
export interface BackoffOptions {
  /** The longest first wait; doubles with each failure. */
  baseMs: number
  /** The longest wait of all. */
  capMs: number
}

/** Between attempts to reach the service. */
export const reconnectBackoff: BackoffOptions = { baseMs: 250, capMs: 30_000 }

/**
 * How long to wait after so many failures in a row (1 or more): anything up to a bound that doubles, so
 * that many agents do not come back at the same moment ("full jitter").
 */
export const backoffMs = (failures: number, random: number, { baseMs, capMs }: BackoffOptions): number =>
  Math.round(random * Math.min(capMs, baseMs * 2 ** Math.min(failures - 1, 30)))
