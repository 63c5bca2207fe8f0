import { isRestanteError, isServiceError, NetworkError, type RestanteError } from '../../protocol/errors'

/** Makes whatever was thrown between here and the service an error of this package. */
export const asRestanteError = (error: unknown): RestanteError =>
  isRestanteError(error)
    ? error
    : new NetworkError('network_failed', String((error as Error)?.message ?? error), { cause: error })

/** Waits for a deletion; what is gone already, by an attempt whose answer got lost or otherwise, is deleted. */
export const deleted = async (deletion: Promise<unknown>): Promise<void> => {
  try {
    await deletion
  } catch (error) {
    if (!isServiceError(error, 'not_found')) throw error
  }
}

/** Bounds of the waits between attempts. */
interface BackoffOptions {
  /** The longest first wait; doubles with each failure. */
  baseMs: number
  /** The longest wait of all. */
  maxMs: number
}

/** The bounds between attempts to reach the service. */
export const reconnectBackoff: BackoffOptions = { baseMs: 250, maxMs: 30_000 }

/**
 * The wait after so many failures in a row (1 or more), in ms: anything up to a bound that doubles, so that many agents
 * do not come back at the same moment ("full jitter").
 */
export const backoffMs = (failures: number, random: number, { baseMs, maxMs }: BackoffOptions): number =>
  Math.round(random * Math.min(maxMs, baseMs * 2 ** Math.min(failures - 1, 30)))
