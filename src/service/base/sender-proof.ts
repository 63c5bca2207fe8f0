import type { ParsedMail } from '../../mail'
import { malformedHeader, senderDomain } from '../../mail/headers'
import type { Authentication } from '../../protocol/records'

/** The judgement of a message on its way to be stored. */
export interface JudgedSender {
  authentication?: Authentication | null | undefined
  /** The domain of From that DMARC was evaluated for, as `senderDomain` writes it; null or missing if there is none. */
  judgedDomain?: string | null | undefined
}

const unproven: Authentication = {
  spf: 'permerror',
  dkim: 'permerror',
  dmarc: 'permerror',
  arc: 'permerror',
  dkim_aligned: false,
  from_verified: false,
  spf_aligned: false,
  signed_fields: [],
}

/** Flaws of a message of which the part that judged and the part that shows it may have read different fields. */
const unreadable = new Set([malformedHeader, 'header-too-large', 'unread'])

const provesNothing = ({ flaws }: Pick<ParsedMail, 'flaws'>): boolean =>
  flaws.some((flaw) => unreadable.has(flaw))

/** Tells whether a judgement is about the sender that is stored, of a header that can be read in one way only. */
export const isJudgedSender = (
  judgedDomain: string | null,
  mail: Pick<ParsedMail, 'from' | 'flaws'>,
  mailFrom: string,
): boolean =>
  judgedDomain !== null &&
  judgedDomain === senderDomain(mail.from?.address ?? mailFrom) &&
  !provesNothing(mail)

/**
 * Returns the judgement that is stored with a received message. It proves the sender only if the judged domain is the
 * domain of the sender that is stored, and nothing at all if programs disagree about the lines of the header, or not all of it was read.
 */
export function storedAuthentication(
  { authentication = null, judgedDomain = null }: JudgedSender,
  mail: Pick<ParsedMail, 'from' | 'flaws'>,
  mailFrom: string,
): Authentication | null {
  if (provesNothing(mail)) return { ...authentication, ...unproven }
  if (!authentication || isJudgedSender(judgedDomain, mail, mailFrom)) return authentication
  return {
    ...authentication,
    dkim_aligned: false,
    from_verified: false,
    spf_aligned: false,
    signed_fields: [],
  }
}

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
