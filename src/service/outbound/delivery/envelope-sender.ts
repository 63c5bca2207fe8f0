import { asciiDomain, splitAddress } from '../../../mail/headers/address'
import type { InboxRow } from '../../accounts/account-inboxes'
import type { Secrets } from '../../base/secrets'

const id = '[\\da-z]{16}'
const bounceAddress = new RegExp(`^bounces\\+(?:inb_)?(${id})(?:\\.(${id})\\.([\\da-z]{5})?([\\da-z]{12}))?@`)
const purpose = 'envelope sender'
const tagPurpose = 'envelope sender domain'
const signatureDigits = 12
const tagDigits = 5

/** Proof of a signed return path: its user was sent this message, at that domain. */
interface ReturnPath {
  messageId: string
  /** Tag of the domain that the message went to; null for older messages. */
  domainTag: string | null
}

/** An address that receives bounces. */
export interface BounceAddress {
  inboxId: string
  /** Null for an address without a signature. */
  returnPath: ReturnPath | null
}

const signedText = (inboxId: string, { messageId, domainTag }: ReturnPath) =>
  [inboxId, messageId, ...(domainTag === null ? [] : [domainTag])].join('.')

/** Returns the domain of an address as in the DNS. */
const domainOf = (address: string): string => asciiDomain(splitAddress(address)?.domain ?? '')

/** Reads a bounce address; null if it is none, or its signature is not ours. */
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

/** Returns the recipients of a message that a report to its return path may cover. */
export function coveredBy(
  secrets: Secrets,
  { messageId, domainTag }: ReturnPath,
  recipients: readonly string[],
): string[] {
  if (domainTag !== null)
    return recipients.filter((one) =>
      secrets.isSigned(tagPurpose, `${messageId}.${domainOf(one)}`, domainTag),
    )
  // Older return paths have no tag, and count only if all recipients share a domain.
  return new Set(recipients.map(domainOf)).size === 1 ? [...recipients] : []
}

/**
 * Returns the envelope sender (RFC 5321 MAIL FROM) of an inbox before signing: SPF checks its domain. An
 * inbox at the domain of the service sends as itself. One at a domain of its account sends as
 * `bounces+<inbox>@` the return path, which reaches it.
 *
 * @param returnPath Domain that receives its bounces.
 */
export const envelopeSenderOf = (inbox: InboxRow, returnPath: string): string =>
  inbox.address.endsWith(`@${returnPath}`) ? inbox.address : `bounces+${inbox.id}@${returnPath}`

/**
 * Signs the envelope sender for the remote. It names the message and, by a tag, the destination domain, so
 * that a bounce is matched without its quoted text. Only the recipients' servers see the signature (as in
 * BATV), so that nobody else can forge a bounce, nor they for recipients elsewhere. The local part fits into
 * 64 characters.
 *
 * @param domain Domain of the recipients, in ASCII.
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
