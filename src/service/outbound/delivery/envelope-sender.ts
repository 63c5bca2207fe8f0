import { asciiDomain, splitAddress } from '../../../mail/headers'
import type { InboxRow } from '../../accounts'
import type { Secrets } from '../../base'

const id = '[\\da-z]{16}'
const bounceAddress = new RegExp(`^bounces\\+(?:inb_)?(${id})(?:\\.(${id})\\.([\\da-z]{5})?([\\da-z]{12}))?@`)
const purpose = 'envelope sender'
const tagPurpose = 'envelope sender domain'
const signatureDigits = 12
const tagDigits = 5

/** The proof of a signed return path: whoever writes to it was sent this message, at that domain. */
interface ReturnPath {
  messageId: string
  /** Stands for the domain that the mail went to; null on mail of before there was one. */
  domainTag: string | null
}

/** An address that bounces come to. */
export interface BounceAddress {
  inboxId: string
  /** Null for an address without a signature. */
  returnPath: ReturnPath | null
}

const signedText = (inboxId: string, { messageId, domainTag }: ReturnPath) =>
  [inboxId, messageId, ...(domainTag === null ? [] : [domainTag])].join('.')

/** The domain of an address as DNS has it. */
const domainOf = (address: string): string => asciiDomain(splitAddress(address)?.domain ?? '')

/** Reads an address that bounces come to; null where it is none, or where its signature is not ours. */
export function readBounceAddress(secrets: Secrets, recipient: string): BounceAddress | null {
  const [, inbox, message, domainTag = null, signature] = bounceAddress.exec(recipient.toLowerCase()) ?? []
  if (!inbox) return null
  const inboxId = `inb_${inbox}`
  if (!message || !signature) return { inboxId, returnPath: null }
  const returnPath = { messageId: `msg_${message}`, domainTag }
  return secrets.isSigned(purpose, signedText(inboxId, returnPath), signature)
    ? { inboxId, returnPath }
    : null
}

/** Picks those recipients of a message that a report to its return path may speak of. */
export function coveredBy(
  secrets: Secrets,
  { messageId, domainTag }: ReturnPath,
  recipients: readonly string[],
): string[] {
  if (domainTag !== null)
    return recipients.filter((one) =>
      secrets.isSigned(tagPurpose, `${messageId}.${domainOf(one)}`, domainTag),
    )
  // What was sent before is believed where all who got it are of one domain.
  return new Set(recipients.map(domainOf)).size === 1 ? [...recipients] : []
}

/**
 * The envelope sender (RFC 5321 MAIL FROM) of mail of an inbox, before it is signed: SPF is judged by its domain. An
 * inbox at the domain of the service sends as itself. One at a domain of its account's own sends as
 * `bounces+<inbox>@` the return path, which reaches it.
 *
 * @param returnPath The domain that takes its bounces.
 */
export const envelopeSenderOf = (inbox: InboxRow, returnPath: string): string =>
  inbox.address.endsWith(`@${returnPath}`) ? inbox.address : `bounces+${inbox.id}@${returnPath}`

/**
 * Signs the envelope sender, as the remote sees it: it names the message and, by a tag, the domain that it goes to,
 * so that a bounce finds it whatever it quotes. Its signature is known to those only that were sent the mail (as in
 * BATV), so that nobody else can forge one, nor they for recipients elsewhere. It has no more than the 64 characters
 * of a local part.
 *
 * @param domain That of the recipients, in its ASCII form.
 */
export function signedSender(
  secrets: Secrets,
  mailFrom: string,
  { inboxId, messageId, domain }: { inboxId: string; messageId: string; domain: string },
): string {
  const domainTag = secrets.sign(tagPurpose, `${messageId}.${domain}`, tagDigits)
  const signature = secrets.sign(purpose, signedText(inboxId, { messageId, domainTag }), signatureDigits)
  const parts = [inboxId, messageId].map((one) => one.slice(one.indexOf('_') + 1))
  return `bounces+${parts.join('.')}.${domainTag}${signature}${mailFrom.slice(mailFrom.lastIndexOf('@'))}`
}
