import type { Kysely } from 'kysely'
import {
  addrSpec,
  baseAddress,
  isAddress,
  looksElsewhere,
  type MailAddress,
  sameAddress,
} from '../../../mail/headers/address'
import { parseAddressList } from '../../../mail/headers/address-list'
import { replyRecipients as addressesOfReply } from '../../../mail/headers/reply-recipients'
import { provenView } from '../../../protocol/proven-view'
import type { MailList, ReplyTarget } from '../../../protocol/records/message'
import { maxRecipients } from '../../../protocol/records/upload-limit'
import { refuse } from '../../base/refuse'
import { authenticationOf, type MessageRow } from '../../messages/records'
import type { Database } from '../../store/tables/schema'

/** Recipients of a message, each address once. */
export interface Recipients {
  to: MailAddress[]
  cc: MailAddress[]
  bcc: MailAddress[]
}

const named = /^[^<>\p{Cc}]*<([^<>\s\p{Cc}]+)>\s*$/u

/** Reads exactly one address: anything that a lenient parser drops would be a lost recipient. */
function onlyAddress(text: string): MailAddress | null {
  const [first, ...more] = parseAddressList(text)
  const isWhole = isAddress(named.exec(text)?.[1] ?? text.trim())
  if (!first || more.length > 0 || !isWhole || looksElsewhere(first)) return null
  return isAddress(first.address) ? first : null
}

function readAddresses(field: string, list: readonly string[]): MailAddress[] {
  return list.map((text) => {
    const address = onlyAddress(text)
    if (!address)
      throw refuse(
        'invalid_request',
        `${field} has ${JSON.stringify(text.slice(0, 100))}, which is not an email address. Write ana@example.com, or Ana <ana@example.com>.`,
        [{ field, value: text.slice(0, 100) }],
      )
    return address
  })
}

/** Keeps each address once, in the first field that has it. */
function eachOnce({ to, cc, bcc }: Recipients): Recipients {
  const seen: MailAddress[] = []
  const fresh = (list: MailAddress[]) =>
    list.filter((one) => !seen.some((other) => sameAddress(other.address, one.address)) && seen.push(one))
  return { to: fresh(to), cc: fresh(cc), bcc: fresh(bcc) }
}

/** Recipients as written. */
export type RecipientFields = Record<keyof Recipients, readonly string[]>

export const countOf = ({ to, cc, bcc }: RecipientFields | Recipients): number =>
  to.length + cc.length + bcc.length

/** Reads recipients, which may be none yet. @throws ServiceError `invalid_request` */
export function readSomeRecipients(fields: RecipientFields): Recipients {
  const recipients = eachOnce({
    to: readAddresses('to', fields.to),
    cc: readAddresses('cc', fields.cc),
    bcc: readAddresses('bcc', fields.bcc),
  })
  const count = countOf(recipients)
  if (count > maxRecipients)
    throw refuse(
      'invalid_request',
      `The message has ${count} recipients, but the limit is ${maxRecipients}. Send several messages.`,
    )
  return recipients
}

/** Reads the addresses for replies. @throws ServiceError `invalid_request` */
export const readReplyTo = (list: readonly string[] = []): MailAddress[] => readAddresses('reply_to', list)

/** @throws ServiceError `invalid_request`, `no_recipients` */
export function readRecipients(fields: RecipientFields): Recipients {
  const recipients = readSomeRecipients(fields)
  if (countOf(recipients) === 0)
    throw refuse(
      'no_recipients',
      'The message has no recipients. Give at least one address in to, cc or bcc.',
    )
  return recipients
}

/** Returns the addresses on a message that inboxes of its account receive for, in lower case and without tags. */
export async function ownAddresses(db: Kysely<Database>, parent: MessageRow): Promise<string[]> {
  const fields = [parent.to_addrs, parent.cc_addrs, parent.reply_to].flatMap(
    (text) => JSON.parse(text) as string[],
  )
  const addresses = [...new Set([parent.from_addr, ...fields].map((one) => baseAddress(one).toLowerCase()))]
  const some = addresses.slice(0, 1_000)
  // A connected mailbox has no row in `addresses`, and an alias none in `inboxes`.
  const rows = await db
    .selectFrom('addresses')
    .select('address')
    .where('address', 'in', some)
    .where('tenant_id', '=', parent.tenant_id)
    .where('retired_at', 'is', null)
    .union(
      db
        .selectFrom('inboxes')
        .select('address')
        .where('tenant_id', '=', parent.tenant_id)
        .where('address', 'in', some),
    )
    .execute()
  return rows.map((row) => row.address)
}

/**
 * Returns the recipients of a reply, with those that the caller adds. The caller's are read strictly;
 * unusable addresses of the message are omitted. Unproven fields of a verified message count as absent.
 *
 * @param ours Other inboxes of the account, from {@link ownAddresses}.
 * @param target The person or the list, for a message from a list.
 * @throws ServiceError `no_recipients` if no list accepts the reply
 */
export function replyRecipients(
  parent: MessageRow,
  inboxAddress: string,
  all: boolean,
  extra: { cc: readonly string[]; bcc: readonly string[] },
  ours: readonly string[],
  target?: ReplyTarget,
): Recipients & { leftOut: string[] } {
  const { direction, from_addr } = parent
  const list = (text: string) => JSON.parse(text) as string[]
  const [reply_to, to_addrs, cc_addrs] = [parent.reply_to, parent.to_addrs, parent.cc_addrs].map(list) as [
    string[],
    string[],
    string[],
  ]
  const found = parent.list === null ? null : (JSON.parse(parent.list) as MailList)
  const authentication = authenticationOf(parent)
  if (target === 'list' && !provenView({ direction, list: found, authentication }).list?.post)
    throw refuse(
      'no_recipients',
      found
        ? 'The mailing list of this message accepts no email. Reply to the sender.'
        : 'This message did not come through a mailing list. Leave out `target`.',
    )
  const answered = { direction, from_addr, reply_to, to_addrs, cc_addrs, list: found, authentication }
  const { to, cc } = addressesOfReply(answered, { inbox: inboxAddress, ours, all, to: target })
  const usable = (addresses: readonly string[]) => addresses.map(addrSpec).filter(isAddress)
  const leftOut = [...new Set([...to, ...cc])].filter((address) => !isAddress(addrSpec(address)))
  const recipients = { to: usable(to), cc: [...usable(cc), ...extra.cc], bcc: extra.bcc }
  requireFewEnough(recipients)
  return { ...readRecipients(recipients), leftOut }
}

/** @throws ServiceError `invalid_request` if a reply to all has more recipients than a message may have */
function requireFewEnough(recipients: RecipientFields): void {
  const count = countOf(recipients)
  if (count <= maxRecipients) return
  throw refuse(
    'invalid_request',
    `This reply would go to ${count} recipients, but the limit is ${maxRecipients}. Reply without \`reply_all\`, and put the important recipients in \`cc\`.`,
  )
}
