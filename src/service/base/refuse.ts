import { ServiceError } from '../../protocol/errors/error'
import { type ErrorCode, errorCodes } from '../../protocol/errors/error-codes'

/**
 * Creates a refusal with the status of its code. The message names the remedy, `retryAfterMs` the time after
 * which a retry helps.
 */
export const refuse = (
  code: ErrorCode,
  message: string,
  details?: unknown,
  retryAfterMs?: number,
): ServiceError => new ServiceError(code, message, { status: errorCodes[code].status, details, retryAfterMs })

/** Creates the refusal of an unknown id: the same for ids that never existed and ids of another account. */
export const notFound = (noun: string, id: string): ServiceError =>
  refuse(
    'not_found',
    `There is no ${noun} ${JSON.stringify(id.slice(0, 80))} in this account. Copy the id from a list: one wrong character is enough.`,
  )

/** Creates the refusal of a request that will succeed later. */
export const refuseForNow = (
  message: string,
  retryAfterMs: number,
  code: 'rate_limited' | 'unavailable' = 'rate_limited',
): ServiceError => refuse(code, message, undefined, retryAfterMs)

/**
 * Creates the refusal of a method, with the allowed ones for the header field `Allow` (RFC 9110 section
 * 10.2.1).
 */
export const refuseMethod = (method: string, allow: string): ServiceError =>
  refuse('method_not_allowed', `This path does not allow ${method}. It allows ${allow}.`, { allow })

/** @throws ServiceError `account_suspended` */
export function refuseSuspended({ suspended_at }: { suspended_at: string | null }): void {
  if (suspended_at === null) return
  throw refuse('account_suspended', 'The account is suspended: write to the operator of this service.')
}
