import type { ServiceError } from '../../../protocol/errors'

/** Returns true for a temporary refusal, after which the message should be sent again. */
export const isPassing = ({ code, status }: ServiceError): boolean =>
  status === 429 || status >= 500 || code === 'account_suspended' || code === 'storage_limit_reached'
