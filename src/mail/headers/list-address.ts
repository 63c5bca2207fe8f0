import { type MailAddress, sameAddress, splitAddress } from './address'
import { parseAddressList } from './address-list'
import { headerValue, type MailHeader } from './header-reader'

const MAX_LENGTH = 2000

/** The addresses to which one writes to the list that a mail came through (RFC 2369 §3.4); none where it came through none. */
export function listAddresses(fields: readonly MailHeader[]): string[] {
  const value = (name: string) => (headerValue(fields, name) ?? '').slice(0, MAX_LENGTH)
  const posted = /<mailto:([^>?]{1,320})/i.exec(value('list-post'))?.[1] ?? ''
  const contact = /\blist\s+(\S{1,320}?)[;,]/i.exec(`${value('mailing-list')};`)?.[1] ?? ''
  return [posted, contact, value('x-beenthere'), value('x-mailing-list')].flatMap((text) =>
    parseAddressList(text).flatMap(({ address }) => (splitAddress(address) ? address : [])),
  )
}

/**
 * Gives where the person who wrote a mail wants the answers: a list that puts its own address there speaks for itself.
 * Who answers all reaches it, since the mail went to it; where it did not, the list is all that is left.
 */
export function withoutList(
  replyTo: readonly MailAddress[],
  reached: readonly MailAddress[],
  fields: readonly MailHeader[],
): MailAddress[] {
  const lists = replyTo.length > 0 ? listAddresses(fields) : []
  const isReached = (list: string) => reached.some(({ address }) => sameAddress(address, list))
  return replyTo.filter(({ address }) => !lists.some((list) => sameAddress(list, address) && isReached(list)))
}
