import type { ErrorCode } from './error-codes'

const brand = Symbol.for('restante.error')

/** Options of every error of this package. */
export interface RestanteErrorOptions extends ErrorOptions {
  /** Machine-readable facts for the code, such as the offending fields. */
  details?: unknown
}

/**
 * Base class of every error of this package. Distinguish them with {@link isServiceError} (the service
 * refused), {@link isNetworkError} (the request did not get through) and {@link isHandlerError} (your own
 * code threw).
 *
 * @example
 * ```ts
 * try {
 *   await mailbox.send({ to: 'ana@example.com', text: 'Hi' })
 * } catch (error) {
 *   if (isRestanteError(error)) console.error(error.code, error.message)
 * }
 * ```
 */
export class RestanteError extends Error {
  readonly [brand]: string = 'error'
  /** A literal, since minifiers rename classes. */
  override name: string = 'RestanteError'
  /** Machine-readable and stable. */
  readonly code: string
  readonly details: unknown

  /** @param message Cause and remedy. */
  constructor(code: string, message: string, options: RestanteErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.details = options.details
  }
}

/**
 * Refusal by the service. `code` is one of `errorCodes`, or a newer one.
 *
 * @example
 * ```ts
 * await message.reply({ text: 'Hi', onlyIfLatest: true }).catch((error) => {
 *   if (!isServiceError(error, 'thread_moved')) throw error
 * })
 * ```
 */
export class ServiceError extends RestanteError {
  override readonly [brand] = 'service'
  override name = 'ServiceError'
  /** HTTP status of the response. */
  readonly status: number
  /** From `Retry-After`, if the service sent one. */
  readonly retryAfterMs: number | undefined

  constructor(
    code: ErrorCode | (string & {}),
    message: string,
    options: RestanteErrorOptions & { status: number; retryAfterMs?: number | undefined },
  ) {
    super(code, message, options)
    this.status = options.status
    this.retryAfterMs = options.retryAfterMs
  }
}

/**
 * The request did not get through, or its response was lost: it may or may not have been carried out.
 *
 * @example
 * ```ts
 * await mailbox.account().catch((error) => {
 *   if (isNetworkError(error)) console.error('the service is away:', error.message)
 * })
 * ```
 */
export class NetworkError extends RestanteError {
  override readonly [brand] = 'network'
  override name = 'NetworkError'
}

/**
 * Your code (a handler, a loop body) threw; its error is the `cause`.
 *
 * @example
 * ```ts
 * mailbox.on('error', (error) => {
 *   if (isHandlerError(error)) console.error('your code threw:', error.cause)
 * })
 * ```
 */
export class HandlerError extends RestanteError {
  override readonly [brand] = 'handler'
  override name = 'HandlerError'
}

/**
 * A call of the package that cannot work; the message says how to call it.
 *
 * @example
 * ```ts
 * await message.reply({ text: 'And one thing more.' }).catch((error) => {
 *   if (!(error instanceof UsageError && error.code === 'already_replied')) throw error
 * })
 * ```
 */
export class UsageError extends RestanteError {
  override readonly [brand] = 'usage'
  override name = 'UsageError'
}

const brandOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null ? (error as { [brand]?: unknown })[brand] : undefined

/**
 * Returns whether an error comes from this package, including other copies of it.
 *
 * @example
 * ```ts
 * const codeOf = (error: unknown) => (isRestanteError(error) ? error.code : undefined)
 * ```
 */
export const isRestanteError = (error: unknown): error is RestanteError => brandOf(error) !== undefined
/**
 * Returns whether the service refused, optionally with this code.
 *
 * @example
 * ```ts
 * const isGone = (error: unknown) => isServiceError(error, 'not_found')
 * ```
 */
export const isServiceError = (error: unknown, code?: ErrorCode | (string & {})): error is ServiceError =>
  brandOf(error) === 'service' && (code === undefined || (error as ServiceError).code === code)
/**
 * Returns whether the request did not get through, or its response was lost: {@link NetworkError}.
 *
 * @example
 * ```ts
 * const isAway = (error: unknown) => isNetworkError(error)
 * ```
 */
export const isNetworkError = (error: unknown): error is NetworkError => brandOf(error) === 'network'
/**
 * Returns whether your own code threw: {@link HandlerError}.
 *
 * @example
 * ```ts
 * const causeOf = (error: unknown) => (isHandlerError(error) ? error.cause : error)
 * ```
 */
export const isHandlerError = (error: unknown): error is HandlerError => brandOf(error) === 'handler'
