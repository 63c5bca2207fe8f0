import type { Kysely } from 'kysely'
import { baseAddress, isAddress, parseAddressList, sameAddress } from '../../mail/address'
import type { MailAddress } from '../../mail/parse'
import type { Database } from '../store/schema'
import type { MessageRow } from './records'
import { refuse } from './refuse'

/** Who a mail goes to, each address once. */
export interface Recipients {
  to: MailAddress[]
  cc: MailAddress[]
  bcc: MailAddress[]
}

const most = 100

const wholeText = /^[^<>\p{Cc}]*<[^<>\s\p{Cc}]+>\s*$/u

/** One address and nothing beside it: what a lenient reader leaves out would be a lost recipient. */
function onlyAddress(text: string): MailAddress | null {
  const [first, ...more] = parseAddressList(text)
  const isWhole = isAddress(text.trim()) || wholeText.test(text)
  return first && more.length === 0 && isWhole && isAddress(first.address) ? first : null
}

function readAddresses(field: string, list: readonly string[]): MailAddress[] {
  return list.map((text) => {
    const address = onlyAddress(text)
    if (!address)
      throw refuse(
        'invalid_request',
        `${field} has ${JSON.stringify(text.slice(0, 100))}, which is not an e-mail address such as ana@example.com.`,
        [{ field, value: text.slice(0, 100) }],
      )
    return address
  })
}

/** Each address once, in the field where it stands first. */
function eachOnce({ to, cc, bcc }: Recipients): Recipients {
  const seen: MailAddress[] = []
  const fresh = (list: MailAddress[]) =>
    list.filter((one) => !seen.some((other) => sameAddress(other.address, one.address)) && seen.push(one))
  return { to: fresh(to), cc: fresh(cc), bcc: fresh(bcc) }
}

/** What recipients are written as. */
export type RecipientFields = Record<keyof Recipients, readonly string[]>

export const countOf = ({ to, cc, bcc }: RecipientFields | Recipients): number =>
  to.length + cc.length + bcc.length

/** Recipients of what may still lack some. @throws ServiceError `invalid_request` */
export function readSomeRecipients(fields: RecipientFields): Recipients {
  const recipients = eachOnce({
    to: readAddresses('to', fields.to),
    cc: readAddresses('cc', fields.cc),
    bcc: readAddresses('bcc', fields.bcc),
  })
  const count = countOf(recipients)
  if (count > most)
    throw refuse('invalid_request', `The mail has ${count} recipients; ${most} are the most: send several.`)
  return recipients
}

/** @throws ServiceError `invalid_request`, `no_recipients` */
export function readRecipients(fields: RecipientFields): Recipients {
  const recipients = readSomeRecipients(fields)
  if (countOf(recipients) === 0)
    throw refuse('no_recipients', 'The mail has nobody to go to: give at least one address in to, cc or bcc.')
  return recipients
}

/** Which addresses on a message are inboxes of its account, in lower case and without tags. */
export async function ownAddresses(db: Kysely<Database>, parent: MessageRow): Promise<string[]> {
  const fields = [parent.to_addrs, parent.cc_addrs, parent.reply_to].flatMap(
    (text) => JSON.parse(text) as string[],
  )
  const addresses = [...new Set([parent.from_addr, ...fields].map((one) => baseAddress(one).toLowerCase()))]
  const rows = await db
    .selectFrom('inboxes')
    .select('address')
    .where('tenant_id', '=', parent.tenant_id)
    .where('address', 'in', addresses.slice(0, 1_000))
    .execute()
  return rows.map((row) => row.address)
}

/**
 * Who a reply goes to (RFC 5322 section 3.6.3): Reply-To where there is one, else the sender; with `all` also
 * everybody else on the mail; never an inbox of the account, under whatever tag, unless nobody else is left. A reply
 * to our own mail goes where that went.
 *
 * @param ours Other inboxes of the account, as {@link ownAddresses} finds them.
 */
export function replyRecipients(
  parent: MessageRow,
  inboxAddress: string,
  all: boolean,
  extra: { cc: readonly string[]; bcc: readonly string[] },
  ours: readonly string[],
): Recipients {
  const list = (text: string) => JSON.parse(text) as string[]
  const others = (addresses: string[]) =>
    addresses.filter((address) => !sameAddress(baseAddress(address), inboxAddress))
  const sender = list(parent.reply_to).length > 0 ? list(parent.reply_to) : [parent.from_addr]
  const to = parent.direction === 'outbound' ? list(parent.to_addrs) : sender
  const cc = all
    ? others([...(parent.direction === 'outbound' ? [] : list(parent.to_addrs)), ...list(parent.cc_addrs)])
    : []
  const strangers = (addresses: string[]) =>
    others(addresses).filter((address) => !ours.includes(baseAddress(address).toLowerCase()))
  const goesTo = [strangers(to), others(to), to].find((addresses) => addresses.length > 0)
  return readRecipients({
    to: goesTo ?? [],
    cc: [...strangers(cc), ...extra.cc],
    bcc: extra.bcc,
  })
}
