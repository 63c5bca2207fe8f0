import { type MailAddress, sameAddress, splitAddress } from './address'
import { parseAddressList } from './address-list'
import { headerValue, type MailHeader } from './header-reader'

const MAX_LENGTH = 2000
const LIST_FIELDS = [
  'list-id',
  'list-post',
  'mailing-list',
  'x-mailing-list',
  'x-beenthere',
  'x-google-group-id',
]

/** Ends of the addresses of a list's program, after the name of the list. */
const PROGRAM = /^[-+](?:bounce|owner|admin|request)/i

/** The addresses that a mail names. */
interface People {
  from: MailAddress | null
  to: MailAddress[]
  cc: MailAddress[]
  replyTo: MailAddress[]
}

type Read = (name: string) => string

const readerOf =
  (fields: readonly MailHeader[]): Read =>
  (name) =>
    (headerValue(fields, name) ?? '').slice(0, MAX_LENGTH)

/** Tells whether a mail came through a list that takes mail (RFC 2369 §3.4). */
const isOfList = (read: Read) =>
  !/^\s*no\b/i.test(read('list-post')) &&
  (LIST_FIELDS.some((name) => read(name) !== '') || /^\s*list\b/i.test(read('precedence')))

/** The addresses to which one writes to the list, as its fields give them. */
function namedAddresses(read: Read): string[] {
  const posted = /<mailto:([^>?]{1,320})/i.exec(read('list-post'))?.[1] ?? ''
  const contact = /\blist\s+(\S{1,320}?)[;,]/i.exec(`${read('mailing-list')};`)?.[1] ?? ''
  return [posted, contact, read('x-beenthere'), read('x-mailing-list')].flatMap((text) =>
    parseAddressList(text).flatMap(({ address }) => (splitAddress(address) ? address : [])),
  )
}

const isWithin = (host: string, other: string) =>
  host !== '' && (host === other || host.endsWith(`.${other}`) || other.endsWith(`.${host}`))

/** Tells whether a list has the name of an address: by its List-Id, the page where it takes mail, or its program's address. */
function hasNameOf(address: string, read: Read): boolean {
  const { local, domain: host } = splitAddress(address.toLowerCase()) ?? { local: '', domain: '' }
  // Such is the address of one conversation, which only the program at the other end knows.
  if (local === '' || local.includes('+')) return false
  const id = (/<([^<>\s]{1,320})>\s*$/.exec(read('list-id')) ?? [])[1]?.toLowerCase() ?? ''
  if (id.startsWith(`${local}.`) && isWithin(id.slice(local.length + 1), host)) return true
  const page = /<https?:\/\/([^/>\s:]{1,255})[^/>\s]{0,10}(\/[^>\s?#]{0,500})/i.exec(read('list-post'))
  if (page && isWithin(page[1]!.toLowerCase(), host))
    if (page[2]!.toLowerCase().split('/').includes(local)) return true
  return ['sender', 'return-path'].some((name) => {
    const [program = '', home] = (parseAddressList(read(name))[0]?.address ?? '').toLowerCase().split('@')
    if (home !== host) return false
    return (
      program === `owner-${local}` || (program.startsWith(local) && PROGRAM.test(program.slice(local.length)))
    )
  })
}

/**
 * Puts a list that asks for the answers (by Reply-To) where it belongs, among those whom its mail reached: who answers
 * writes to the person, and who answers all to the list as well. A mail that came through no list stays as it is.
 */
export function listAmongRecipients(
  { from, to, cc, replyTo }: People,
  fields: readonly MailHeader[],
): Pick<People, 'cc' | 'replyTo'> {
  const read = readerOf(fields)
  if (!from || replyTo.length === 0 || !isOfList(read)) return { cc, replyTo }
  const named = namedAddresses(read)
  const isAmong = (people: readonly MailAddress[], address: string) =>
    people.some((one) => sameAddress(one.address, address))
  const isReached = (address: string) => isAmong([...to, ...cc], address)
  const isNamed = (address: string) =>
    named.some((one) => sameAddress(one, address)) && (isReached(address) || !address.includes('+'))
  const isLists = (address: string) => isNamed(address) || hasNameOf(address, read)
  // A list that writes in a person's stead has that person in Reply-To, and often in Cc.
  const isPersons = !isLists(from.address)
  const lists = replyTo.filter(
    ({ address }) =>
      !sameAddress(address, from.address) && (isLists(address) || (isPersons && isReached(address))),
  )
  return {
    cc: [...cc, ...lists.filter(({ address }) => !isReached(address))],
    replyTo: replyTo.filter((one) => !lists.includes(one)),
  }
}
