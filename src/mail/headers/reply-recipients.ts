import { checkOptions, type OptionNames } from '../../protocol/options'
import type { MailList, MessageSummary, ReplyTarget } from '../../protocol/records'
import { baseAddress, isAddress, sameAddress } from './address'
import { provenView } from './proven-view'

/** The fields of a message that decide who is answered. */
export type Answerable = Pick<
  MessageSummary,
  'direction' | 'from_addr' | 'reply_to' | 'to_addrs' | 'cc_addrs'
> &
  Partial<Pick<MessageSummary, 'authentication'>> & {
    list?: Pick<MailList, 'post' | 'author_addr'> | null | undefined
  }

/** The inbox that answers, and how widely it does. */
export interface ReplyTo {
  /** The address of the inbox that answers. */
  inbox: string
  /** Addresses of other inboxes of the account. */
  ours: readonly string[]
  /** Everybody who got the message, too. */
  all: boolean
  /** The person or the list, of a message that came through a list; the person by default. */
  to?: ReplyTarget | undefined
}

const names: OptionNames<ReplyTo> = { inbox: true, ours: true, all: 'boolean', to: true }

/**
 * Tells whom a reply goes to (RFC 5322 section 3.6.3): Reply-To where there is one, else the sender; with `all` also
 * everybody else on the mail; an address in Reply-To that cannot be written to counts as absent; never an inbox of the
 * account, under whatever tag, unless nobody else is left. A reply to our own mail goes where that went.
 *
 * A list is no Reply-To of what came through it, but one of those whom that reached: a reply goes to the person, also where
 * the list has put itself into From and names the person, and with `all` to the list as well. `to: 'list'` writes to the
 * list, and with `all` to the person as well; it gives nobody where the list takes no mail.
 *
 * In a verified message, fields that nobody proves count as absent ({@link provenView}): an added Reply-To diverts no
 * reply, and an added Cc gets none. A record without `signed_fields` is from an older service, which answers all of them:
 * the result says whom that service writes to.
 *
 * @example
 * ```ts
 * import { replyRecipients } from 'restante'
 *
 * const ours = mailbox.inboxes.map(({ address }) => address)
 * const { to } = replyRecipients(message.record, { inbox: mailbox.address, ours, all: false })
 * ```
 */
export function replyRecipients(message: Answerable, options: ReplyTo): { to: string[]; cc: string[] } {
  checkOptions('replyRecipients()', options, names)
  const { inbox, ours, all, to: target } = options
  const isOfOlderService = message.authentication?.signed_fields === undefined
  const { direction, from_addr, reply_to, to_addrs, cc_addrs, list } = isOfOlderService
    ? message
    : provenView(message)
  const isOutbound = direction === 'outbound'
  const own = new Set(ours.map((address) => address.toLowerCase()))
  const others = (addresses: readonly string[]) =>
    addresses.filter((address) => !sameAddress(baseAddress(address), inbox))
  const strangers = (addresses: readonly string[]) =>
    others(addresses).filter((address) => !own.has(baseAddress(address).toLowerCase()))
  const named = reply_to.filter(isAddress)
  const sender = named.length > 0 ? named : [list?.author_addr ?? from_addr]
  const isToList = target === 'list'
  const to = isToList ? [list?.post ?? []].flat() : isOutbound ? to_addrs : sender
  const copied = all
    ? [...(isToList && !isOutbound ? sender : []), ...(isOutbound && !isToList ? [] : to_addrs), ...cc_addrs]
    : []
  const goesTo = [strangers(to), others(to), to].find((addresses) => addresses.length > 0)
  return { to: [...(goesTo ?? [])], cc: strangers(copied) }
}
