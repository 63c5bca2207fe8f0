import { checkOptions, type OptionNames } from '../../protocol/options'
import { provenView } from '../../protocol/proven-view'
import type { MailList, MessageSummary, ReplyTarget } from '../../protocol/records/message'
import { baseAddress, isAddress, sameAddress } from './address'

/** Fields of a message that decide the recipients of a reply. */
export type Answerable = Pick<
  MessageSummary,
  'direction' | 'from_addr' | 'reply_to' | 'to_addrs' | 'cc_addrs'
> &
  Partial<Pick<MessageSummary, 'authentication'>> & {
    list?: Pick<MailList, 'post' | 'author_addr'> | null | undefined
  }

/** The inbox that replies, and the scope of the reply. */
export interface ReplyTo {
  /** Address of the inbox that replies. */
  inbox: string
  /** Addresses of other inboxes of the account. */
  ours: readonly string[]
  /** Also to all other recipients of the message. */
  all: boolean
  /** For a message from a mailing list: reply to the person or to the list; default: the person. */
  to?: ReplyTarget | undefined
}

const names: OptionNames<ReplyTo> = { inbox: true, ours: true, all: 'boolean', to: true }

/**
 * Returns the recipients of a reply (RFC 5322 section 3.6.3): Reply-To if it has a valid address, else the
 * sender. With `all`, all other recipients of the message as well. Never an inbox of the account, under any
 * tag, unless nobody else is left. A reply to our own message goes to its recipients.
 *
 * In a message from a mailing list, the list does not count as Reply-To: a reply goes to the person. This
 * also applies if the list put itself into From and names the person. With `all`, it goes to the list as
 * well. `to: 'list'` writes to the list, and with `all` to the person as well; `to` is empty if the list
 * accepts no messages.
 *
 * In a verified message, unproven fields count as absent ({@link provenView}): an added Reply-To diverts no
 * reply, and an added Cc gets none. A record without `signed_fields` is from an older service, which uses all
 * of them: the result names the recipients of that service.
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
