import { isAboutSender, refusesSender, takesNoMail } from '../../../mail/reports/bounce'
import type { DeliveryReason } from '../../../protocol/records/message'
import type { RecipientOutcome } from './outcome'

type Refused = Pick<RecipientOutcome, 'outcome' | 'code' | 'enhanced' | 'detail' | 'stage'>

/** Reasons by the enhanced status code without its class (RFC 3463 section 3, and IANA's registry). */
const byStatus: Record<string, DeliveryReason> = {
  '1.1': 'unknown_address',
  '1.2': 'unknown_domain',
  '1.3': 'unknown_address',
  '1.6': 'unknown_address',
  '1.10': 'unknown_domain',
  '2.1': 'unknown_address',
  '2.2': 'mailbox_full',
  '2.3': 'too_large',
  '3.4': 'too_large',
  '4.1': 'unreachable',
  '4.2': 'unreachable',
  '4.3': 'dns_failure',
  '4.4': 'unknown_domain',
  '4.5': 'throttled',
  '6.3': 'unsupported',
  '6.7': 'unsupported',
  '7.5': 'tls_failure',
  '7.28': 'throttled',
}

/** Reasons by the text of replies, for replies without a code or with a vague one. */
const byWords: [DeliveryReason, RegExp][] = [
  ['greylisted', /gr[ae]y[ -]?list/i],
  [
    'mailbox_full',
    /mailbox (?:is )?full|(?:over|exceed\w{0,10})(?: \w{1,30})? (?:disk )?(?:quota|storage)|quota exceeded|insufficient storage/i,
  ],
  [
    'throttled',
    /rate[ -]?limit|too many (?:connections|messages|recipients|mails)|throttl|try again more slowly/i,
  ],
  [
    'unknown_address',
    /user unknown|unknown user|no such (?:user|mailbox|recipient|address)|does not exist|mailbox (?:unavailable|not found)|(?:invalid|unknown) recipient|recipient (?:rejected|not found)/i,
  ],
  ['policy', /spam|block(?:ed|list)|blacklist|denied|polic(?:y|ies)|reputation|dmarc|\bspf\b|dkim/i],
]

function wordsIn(text: string): DeliveryReason | undefined {
  const reason = byWords.find(([, words]) => words.test(text))?.[0]
  const isFinding = reason === undefined || reason === 'unknown_address'
  // "Sender verify failed: no such user" is about the sender.
  if (isFinding && isAboutSender(text)) return 'policy'
  return reason ?? (refusesSender(text) ? 'policy' : undefined)
}

function reasonByStatus({ outcome, enhanced, ...refused }: Refused): DeliveryReason | undefined {
  if (enhanced === null) return undefined
  const [, subject = '', detail = ''] = enhanced.split('.')
  const words = wordsIn(refused.detail)
  // A temporarily disabled mailbox still exists.
  if (`${subject}.${detail}` === '2.1' && outcome === 'deferred') return words ?? 'other'
  const known = byStatus[`${subject}.${detail}`]
  if (known) return known
  if (subject === '7') return words === 'greylisted' || words === 'throttled' ? words : 'policy'
  return words ?? (subject === '6' ? 'content' : undefined)
}

/**
 * Returns whether a reply to RCPT has the code of an unknown mailbox (RFC 5321 section 4.2.3) without text
 * that may refuse something else, such as the sender.
 */
const saysNothingElse = (code: number | null, detail: string): boolean =>
  (code === 550 || code === 553) &&
  detail.replace(
    /<[^<>]*>|\S+@\S+|[\d\s.:;,-]+|requested action not taken|not (?:ok|delivered)|recipient|address/gi,
    '',
  ) === ''

/**
 * Returns why a message was not accepted: by the enhanced status code, then by the text, then by the stage.
 */
export function reasonOf(refused: Refused): DeliveryReason | null {
  const { outcome, code, detail, stage } = refused
  if (outcome === 'sent') return null
  const reason = reasonByStatus(refused) ?? wordsIn(detail)
  if (reason) return reason
  if (stage === 'route') return 'dns_failure'
  if (stage === 'connect') return 'unreachable'
  if (code === 421) return 'throttled'
  if (code === 452 || code === 552) return 'mailbox_full'
  if (outcome === 'deferred' && (code === 450 || code === 451) && stage === 'recipient') return 'greylisted'
  if (outcome === 'bounced' && stage === 'recipient' && saysNothingElse(code, detail))
    return 'unknown_address'
  return 'other'
}

/**
 * Checks whether the address itself never accepts messages. A full mailbox, or a refusal of this message or
 * its sender, does not show that, whatever the code; in doubt the address is kept.
 */
export function isHardBounce({ outcome, code, enhanced, detail, stage }: Refused): boolean {
  if (outcome !== 'bounced') return false
  const isRefused = stage === 'recipient' && (code === 550 || code === 551 || code === 553)
  const isExplicit = enhanced !== null && enhanced !== '5.0.0'
  return (isRefused || isExplicit) && takesNoMail(enhanced, detail)
}

const sesHost = /^email-smtp(?:-fips)?\.([a-z]{2}(?:-[a-z]+)+-\d)\.amazonaws\.com$/i
const sesId = /^250 Ok ([\da-f]{16}-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}-\d{6})\b/i

/** Regions of SES by the first digits of an id, for a host with another name. */
const sesRegions: Readonly<Record<string, string>> = {
  '0100': 'us-east-1',
  '0101': 'us-west-2',
  '0102': 'eu-west-1',
}
/**
 * A Message-ID in the reply to the final dot: `250 2.0.0 OK <…> [Hostname=…]` of Outlook.com and Microsoft
 * 365, `250 2.6.0 <…> [InternalId=…]` of Exchange, `250 … queued as <…>` of Brevo.
 */
const namedId =
  /^250[ -](?:2\.\d\.\d )?(?:ok[:,]? |[^<>]{0,60}queued as )?<([^<>@\s]{1,200}@[^<>@\s]{1,200})>(?: \[|[^<>]{0,20}queued|\s*$)/i

/**
 * Returns the Message-ID under which a relay forwards a message: answers and bounces name it. Amazon SES
 * replaces it, and returns a part of the new one; others return it whole. It may be the message's own.
 *
 * @see https://docs.aws.amazon.com/ses/latest/dg/header-fields.html
 */
export function renamedTo({
  outcome,
  remote,
  detail,
  recipient,
}: Pick<RecipientOutcome, 'outcome' | 'remote' | 'detail' | 'recipient'>): string | undefined {
  if (outcome !== 'sent') return undefined
  const id = sesId.exec(detail)?.[1]
  const region = id && (sesHost.exec(remote ?? '')?.[1]?.toLowerCase() ?? sesRegions[id.slice(0, 4)])
  if (region) return `<${id}@${region === 'us-east-1' ? 'email' : region}.amazonses.com>`
  const named = namedId.exec(detail)?.[1]
  return named && named.toLowerCase() !== recipient.toLowerCase() ? `<${named}>` : undefined
}
