/** Errors on the wire: codes, statuses and their common class. */

export {
  HandlerError,
  isHandlerError,
  isNetworkError,
  isRestanteError,
  isServiceError,
  NetworkError,
  RestanteError,
  type RestanteErrorOptions,
  ServiceError,
  UsageError,
} from './error'
export { type ErrorCode, errorCodes } from './error-codes'
