import {
  isRestanteError,
  isServiceError,
  NetworkError,
  type RestanteError,
} from '../../protocol/errors/error'

/** Turns any value thrown on the way to the service into an error of this package. */
export const asRestanteError = (error: unknown): RestanteError =>
  isRestanteError(error)
    ? error
    : new NetworkError('network_failed', String((error as Error)?.message ?? error), { cause: error })

/** Awaits a deletion. `not_found` counts as success: an earlier attempt may have deleted it. */
export const deleted = async (deletion: Promise<unknown>): Promise<void> => {
  try {
    await deletion
  } catch (error) {
    if (!isServiceError(error, 'not_found')) throw error
  }
}
