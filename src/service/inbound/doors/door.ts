import type { InboundAnswer } from '../../../protocol/records'
import type { Caller } from '../../accounts'
import type { Brought } from './providers'

/** The key that brings mail: whose inboxes it reaches, and whether it is believed. */
export type Bringer = Pick<Caller, 'tenantId' | 'keyId' | 'inboxId' | 'trusted' | 'everywhere'>

/** The way in for mail that does not come by SMTP; behind the envelope it is that of SMTP. */
export interface InboundDoor {
  /**
   * Takes a mail in; resolves once it is on disk.
   *
   * @throws ServiceError `message_too_large`, `unavailable`, `mailbox_unavailable`, `address_retired`, `account_expired`,
   * `account_suspended`, `sender_blocked`, `quota_exceeded`, `storage_limit_reached`, `idempotency_key_reused`
   */
  deliver(bringer: Bringer, brought: Brought, raw: Uint8Array<ArrayBuffer>): Promise<InboundAnswer>
  /** The same, of a request whose body is the mail. */
  deliverBody(bringer: Bringer, brought: Brought, request: Request): Promise<InboundAnswer>
  /**
   * Takes what a provider posts under one of its keys. What is refused for good is in the answer, so that the provider
   * does not send it again; what passes is `unavailable`, so that it does.
   *
   * @throws ServiceError `signature_invalid`, `message_too_large`, `unavailable`
   */
  post(keyId: string, path: string, request: Request): Promise<InboundAnswer>
}
