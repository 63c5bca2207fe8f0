import type { ServiceError } from '../../../protocol/errors'

/** Tells of a refusal that time ends, or somebody: the mail is to come again. */
export const isPassing = ({ code, status }: ServiceError): boolean =>
  status === 429 || status >= 500 || code === 'account_suspended' || code === 'storage_limit_reached'
