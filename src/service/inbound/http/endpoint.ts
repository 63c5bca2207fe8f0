import type { ServiceError } from '../../../protocol/errors/error'
import type { InboundAnswer } from '../../../protocol/records/inbound/delivery'
import type { Caller } from '../../accounts/keys'
import type { PostedEnvelope } from './providers/provider'

/** Returns true for a temporary refusal, after which the message should be sent again. */
export const isPassing = ({ code, status }: ServiceError): boolean =>
  status === 429 || status >= 500 || code === 'account_suspended' || code === 'storage_limit_reached'

/** Key of an inbound request: the inboxes that it reaches, and whether its origin is trusted. */
export type InboundKey = Pick<Caller, 'tenantId' | 'keyId' | 'inboxId' | 'trusted' | 'everywhere'>

/**
 * Endpoint for messages that do not arrive by SMTP. After the envelope they are processed like those of SMTP.
 */
export interface InboundEndpoint {
  /**
   * Accepts a message; resolves once it is on disk.
   *
   * @throws ServiceError `message_too_large`, `unavailable`, `mailbox_unavailable`, `address_retired`,
   *   `account_expired`, `account_suspended`, `sender_blocked`, `quota_exceeded`, `storage_limit_reached`,
   *   `idempotency_key_reused`
   */
  deliver(key: InboundKey, posted: PostedEnvelope, raw: Uint8Array<ArrayBuffer>): Promise<InboundAnswer>
  /** Accepts a message that is the body of a request. */
  deliverBody(key: InboundKey, posted: PostedEnvelope, request: Request): Promise<InboundAnswer>
  /**
   * Accepts a request of a provider under one of its keys. The answer lists permanent refusals, so that the
   * provider does not repeat it. Temporary ones are `unavailable`, so that it does.
   *
   * @throws ServiceError `signature_invalid`, `message_too_large`, `unavailable`
   */
  post(keyId: string, path: string, request: Request): Promise<InboundAnswer>
}
