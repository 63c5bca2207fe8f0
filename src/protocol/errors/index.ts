/** Errors on the wire: codes, statuses and the class that all of them are. */

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
