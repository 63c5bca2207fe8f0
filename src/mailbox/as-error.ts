import { isRestanteError, NetworkError, type RestanteError } from '../protocol'

/** What went wrong between here and the service, as an error of this package. */
export const asRestanteError = (error: unknown): RestanteError =>
  isRestanteError(error)
    ? error
    : new NetworkError('network_failed', String((error as Error)?.message ?? error), { cause: error })
