import { senderDomain } from '../../mail/headers/address'
import { malformedHeader } from '../../mail/headers/header-reader'
import type { ParsedMail } from '../../mail/parsed-mail'
import type { Authentication } from '../../protocol/records/message'

/** Judgement of a message that is about to be stored. */
export interface JudgedSender {
  authentication?: Authentication | null | undefined
  /**
   * Domain of From that DMARC was evaluated for, as `senderDomain` writes it; null or missing if there is
   * none.
   */
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

/** Flaws with which the judge and the reader of a message may have read different fields. */
const unreadable = new Set([malformedHeader, 'header-too-large', 'unread'])

const provesNothing = ({ flaws }: Pick<ParsedMail, 'flaws'>): boolean =>
  flaws.some((flaw) => unreadable.has(flaw))

/** Checks whether a judgement is about the stored sender, from an unambiguous header. */
export const isJudgedSender = (
  judgedDomain: string | null,
  mail: Pick<ParsedMail, 'from' | 'flaws'>,
  mailFrom: string,
): boolean =>
  judgedDomain !== null &&
  judgedDomain === senderDomain(mail.from?.address ?? mailFrom) &&
  !provesNothing(mail)

/**
 * Returns the judgement to store with a received message. It proves the sender only if the judged domain is
 * that of the stored sender. It proves nothing if the header is ambiguous or was not fully read.
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

/** Proven senders of a message. A service that does not judge senders believes all of them. */
export interface SenderProof {
  /** The domain of From sent it. */
  from: boolean
  /** The domain of the envelope sender sent it; false if the domain of From disowns the message. */
  envelope: boolean
}

/** Reads the judgement of a message. At a service that judges senders, an unjudged message proves nothing. */
export function senderProofOf(authentication: Authentication | null, checksSenders: boolean): SenderProof {
  if (!authentication) return { from: !checksSenders, envelope: !checksSenders }
  const { spf, dmarc, from_verified, dkim_aligned } = authentication
  return { from: from_verified || dkim_aligned === true, envelope: spf === 'pass' && dmarc !== 'fail' }
}
