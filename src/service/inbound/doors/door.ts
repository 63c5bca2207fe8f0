import type { InboundAnswer } from '../../../protocol/records'
import type { Caller } from '../../accounts'
import type { Brought } from './providers'

/** Key of an inbound request: the inboxes that it reaches, and whether its origin is trusted. */
export type Bringer = Pick<Caller, 'tenantId' | 'keyId' | 'inboxId' | 'trusted' | 'everywhere'>

/**
 * Endpoint for messages that do not arrive by SMTP. After the envelope they are processed like those of SMTP.
 */
export interface InboundDoor {
  /**
   * Accepts a message; resolves once it is on disk.
   *
   * @throws ServiceError `message_too_large`, `unavailable`, `mailbox_unavailable`, `address_retired`,
   *   `account_expired`, `account_suspended`, `sender_blocked`, `quota_exceeded`, `storage_limit_reached`,
   *   `idempotency_key_reused`
   */
  deliver(bringer: Bringer, brought: Brought, raw: Uint8Array<ArrayBuffer>): Promise<InboundAnswer>
  /** Accepts a message that is the body of a request. */
  deliverBody(bringer: Bringer, brought: Brought, request: Request): Promise<InboundAnswer>
  /**
   * Accepts a request of a provider under one of its keys. The answer lists permanent refusals, so that the
   * provider does not repeat it. Temporary ones are `unavailable`, so that it does.
   *
   * @throws ServiceError `signature_invalid`, `message_too_large`, `unavailable`
   */
  post(keyId: string, path: string, request: Request): Promise<InboundAnswer>
}
