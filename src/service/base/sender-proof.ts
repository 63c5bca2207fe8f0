import type { Authentication } from '../../protocol/records'

/**
 * The senders that a mail names, as far as they are proven. A service that does not judge senders believes all of
 * them.
 */
export interface SenderProof {
  /** The domain of From sent it. */
  from: boolean
  /** The domain of the envelope sender sent it; false where the domain of From disowns the mail. */
  envelope: boolean
}

/** Reads the judgement of a mail. A mail that was not judged, at a service that judges senders, proves nothing. */
export function senderProofOf(authentication: Authentication | null, checksSenders: boolean): SenderProof {
  if (!authentication) return { from: !checksSenders, envelope: !checksSenders }
  const { spf, dmarc, from_verified, dkim_aligned } = authentication
  return { from: from_verified || dkim_aligned === true, envelope: spf === 'pass' && dmarc !== 'fail' }
}
