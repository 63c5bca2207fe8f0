import type { ParsedMail } from '../../mail/parsed-mail'
import { fieldProof } from '../../protocol/proven-view'
import type { Authentication } from '../../protocol/records/message'
import { isJudgedSender, storedAuthentication } from '../base/sender-proof'
import { dayMs } from '../base/time'
import type { NewMessage } from '../messages/add-message'
import type { SoundSignature } from './authentication/dkim'
import type { InboundPorts } from './ports'
import { firstRecipients } from './seen-signatures'

/** Age of a signature from which its message counts as a replay. */
const maxSignatureAgeMs = 7 * dayMs

/** Evidence for the verdict on a message, and its source. */
export interface Evidence {
  source: 'smtp' | 'key' | 'imap'
  recipients: readonly string[]
  /** Time of arrival, in ms since 1970: for a connected mailbox its INTERNALDATE. */
  arrivedAtMs: number
  /** Domain of From that was checked. */
  judgedDomain?: string | null | undefined
  signatures?: readonly SoundSignature[] | undefined
  spfAligned?: boolean | undefined
}

/** Verdict on a message for some of its recipients. */
type Verdict = Pick<NewMessage, 'authentication' | 'judgedDomain'>

/** Size of hidden text, in bytes, from which an unsigned Content-Type or encoding invalidates the proof. */
const maxOutsideBytes = 200

/**
 * Returns whether somebody may have changed an unsigned Content-Type or Content-Transfer-Encoding to hide
 * signed text. Gmail leaves both unsigned, which alone is no fault.
 */
const isRearranged = (authentication: Authentication, mail: ParsedMail): boolean => {
  const { outsideParts = 0, outsideField = 'content-type' } = mail
  return outsideParts > maxOutsideBytes && !fieldProof({ authentication })(outsideField)
}

const proveNothing = { from_verified: false, dkim_aligned: false, signed_fields: [] }

/** Returns the verdict on a message, without its proof if somebody may have rearranged the parts. */
const judgedByParts = (authentication: Authentication, mail: ParsedMail): Authentication =>
  isRearranged(authentication, mail) ? { ...authentication, ...proveNothing } : authentication

const fieldsOf = (signatures: readonly SoundSignature[]): string[] => [
  ...new Set(signatures.flatMap(({ fields }) => fields)),
]

/**
 * Completes a verdict at the time of storing: the proven fields, and whether the message is a replay, which
 * depends on the recipient.
 */
export async function completeVerdict(
  ports: Pick<InboundPorts, 'store' | 'clock'>,
  given: Authentication | null,
  evidence: Evidence,
  { mail, mailFrom }: Pick<NewMessage, 'mail' | 'mailFrom'>,
): Promise<(recipients: readonly string[]) => Verdict> {
  const { source, recipients, arrivedAtMs, judgedDomain = null } = evidence
  const judged = storedAuthentication({ authentication: given, judgedDomain }, mail, mailFrom)
  if (!judged) return () => ({ authentication: null })
  // The evidence is about the checked domain: it proves nothing about another sender.
  const { signatures = [], spfAligned } = isJudgedSender(judgedDomain, mail, mailFrom)
    ? evidence
    : { spfAligned: false }
  const authentication: Authentication = {
    ...judged,
    spf_aligned: spfAligned ?? judged.spf_aligned ?? false,
    signed_fields: signatures.length > 0 ? fieldsOf(signatures) : (judged.signed_fields ?? []),
    ...{ source, replayed: judged.replayed ?? false },
  }
  if (signatures.length === 0) return () => ({ authentication, judgedDomain })
  const isOld = signatures.some(
    ({ signedAt }) => signedAt !== null && arrivedAtMs - signedAt * 1_000 > maxSignatureAgeMs,
  )
  const isSigned = (name: string) => authentication.signed_fields!.includes(name)
  const named = [...(isSigned('to') ? mail.to : []), ...(isSigned('cc') ? mail.cc : [])]
  const hashes = signatures.map(({ hash }) => hash)
  const first = isOld
    ? []
    : await firstRecipients(ports, {
        ...{ signatures: hashes, recipients, spfAligned: authentication.spf_aligned === true },
        named: named.map(({ address }) => address),
      })
  return (some) => {
    const its = { ...authentication, replayed: !some.some((one) => first.includes(one)) }
    return { authentication: judgedByParts(its, mail), judgedDomain }
  }
}
