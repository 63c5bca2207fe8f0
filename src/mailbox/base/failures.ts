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
