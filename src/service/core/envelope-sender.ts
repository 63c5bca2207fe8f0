import type { InboxRow } from './records'

const bounceAddress = /^bounces\+(inb_[\da-z]{16})@/i

/** Whose mail a bounce to this address is about; null where it is no address that mail is sent from. */
export const bounceInboxId = (recipient: string): string | null =>
  bounceAddress.exec(recipient)?.[1]?.toLowerCase() ?? null

/**
 * The envelope sender (RFC 5321 MAIL FROM) of what an inbox sends: where bounces go, and what SPF is judged by. An
 * inbox at the domain of the service sends as itself. One at a domain of its account's own sends as
 * `bounces+<inbox>@` the return path, which reaches it.
 *
 * @param returnPath The domain that takes its bounces.
 */
export const envelopeSenderOf = (inbox: InboxRow, returnPath: string): string =>
  inbox.address.endsWith(`@${returnPath}`) ? inbox.address : `bounces+${inbox.id}@${returnPath}`
