import type { InboxRow } from './records'
import type { Secrets } from './secrets'

const bounceAddress = /^bounces\+(?:inb_)?([\da-z]{16})(?:\.([\da-z]{16})\.([\da-z]{12}))?@/
const purpose = 'envelope sender'
const signatureDigits = 12

/** What an address that bounces come to says. */
export interface BounceAddress {
  inboxId: string
  /** The message that a bounce to it is about, as the signature proves; null for an address without one. */
  messageId: string | null
}

const signedText = (inboxId: string, messageId: string) => `${inboxId}.${messageId}`

/** Reads an address that bounces come to; null where it is none, or where its signature is not ours. */
export function readBounceAddress(secrets: Secrets, recipient: string): BounceAddress | null {
  const [, inbox, message, signature] = bounceAddress.exec(recipient.toLowerCase()) ?? []
  if (!inbox) return null
  const inboxId = `inb_${inbox}`
  if (!message || !signature) return { inboxId, messageId: null }
  const messageId = `msg_${message}`
  return secrets.isSigned(purpose, signedText(inboxId, messageId), signature) ? { inboxId, messageId } : null
}

/**
 * The envelope sender (RFC 5321 MAIL FROM) of what an inbox sends, before it is signed: what SPF is judged by. An
 * inbox at the domain of the service sends as itself. One at a domain of its account's own sends as
 * `bounces+<inbox>@` the return path, which reaches it.
 *
 * @param returnPath The domain that takes its bounces.
 */
export const envelopeSenderOf = (inbox: InboxRow, returnPath: string): string =>
  inbox.address.endsWith(`@${returnPath}`) ? inbox.address : `bounces+${inbox.id}@${returnPath}`

/**
 * The envelope sender as the remote sees it: it names the message, so that a bounce finds it whatever it quotes, and
 * its signature is known to those only that were sent the mail (as in BATV), so that nobody else can forge one. It
 * has no more than the 64 characters of a local part.
 */
export function signedSender(
  secrets: Secrets,
  mailFrom: string,
  { inboxId, messageId }: { inboxId: string; messageId: string },
): string {
  const signature = secrets.sign(purpose, signedText(inboxId, messageId), signatureDigits)
  const parts = [inboxId, messageId].map((id) => id.slice(id.indexOf('_') + 1))
  return `bounces+${[...parts, signature].join('.')}${mailFrom.slice(mailFrom.lastIndexOf('@'))}`
}
