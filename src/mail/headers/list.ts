import { withoutEnd, withoutEnds } from '../text'
import { isAddress, type MailAddress, splitAddress } from './address'
import { parseAddressList } from './address-list'
import { decodeHeader } from './header-reader'
import type { MailHead } from './mail-head'

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

/** A list that a message came through (RFC 2369, RFC 2919), as its program says. */
export interface MailList {
  /** Its List-Id, without brackets. */
  id: string | null
  /** The name of it that stands before the List-Id. */
  name: string | null
  /** The address to which one writes to the list; null for one that takes no mail, or does not say. */
  post: string | null
  /** The first address of List-Unsubscribe, which a web browser or a message opens. */
  unsubscribe: string | null
  /** True where the list has put its own address into From. */
  isFrom: boolean
  /** The person who wrote the mail, as the list says that has put itself into From; nothing proves it. */
  author: MailAddress | null
}

/** The addresses that a message names. */
interface People {
  from: MailAddress | null
  to: MailAddress[]
  cc: MailAddress[]
  replyTo: MailAddress[]
}

type Read = (name: string) => string

const readerOf =
  (head: MailHead): Read =>
  (name) =>
    head.value(name).slice(0, MAX_LENGTH)

/** Tells whether a list takes mail (RFC 2369 §3.4). */
const takesMail = (read: Read) => !/^\s*no\b/i.test(read('list-post'))

const isOfList = (head: MailHead) =>
  LIST_FIELDS.some((name) => head.value(name) !== '') || /^\s*list\b/i.test(head.value('precedence'))

const OWNER = /^\s*<?owner-([^\s@<>]{2,100})@([^\s@<>]{3,255}?)>?\s*$/i

/** Addresses of a list whose program, such as Majordomo, names only its owner, for any author. */
function ownedAddresses(read: Read, { to, cc }: People): string[] {
  for (const name of ['sender', 'return-path', 'errors-to']) {
    const value = read(name)
    const [, list = '', host = ''] = (value !== '' && OWNER.exec(value)) || []
    if (!list) continue
    const reached = [...to, ...cc].filter(
      ({ address }) => splitAddress(address)?.local.toLowerCase() === list.toLowerCase(),
    )
    if (reached.length > 0 || name === 'sender')
      return [`${list}@${host}`, ...reached.map(({ address }) => address)]
  }
  return []
}

/** The addresses to which one writes to the list, as its fields give them. */
function namedAddresses(read: Read): string[] {
  const posted = /<mailto:([^>?]{1,320})/i.exec(read('list-post'))?.[1] ?? ''
  const contact = /\blist\s+(\S{1,320}?)[;,]/i.exec(`${read('mailing-list')};`)?.[1] ?? ''
  return [posted, contact, read('x-beenthere'), read('x-mailing-list')].flatMap((text) =>
    parseAddressList(text).flatMap(({ address }) => (splitAddress(address) ? address : [])),
  )
}

/** Tells whether two addresses, as they were read, are one. */
const isSame = (one: string, other: string): boolean =>
  one.length === other.length && one.toLowerCase() === other.toLowerCase()

const isWithin = (host: string, other: string) =>
  host !== '' && (host === other || host.endsWith(`.${other}`) || other.endsWith(`.${host}`))

/** What shows the name of a list, in lower case. */
interface Names {
  /** Its List-Id. */
  id: string
  /** The page where it takes mail: host and path. */
  page: readonly string[]
  /** The addresses of its program, each in two halves. */
  programs: readonly string[][]
}

function namesOf(read: Read): Names {
  const page = /<https?:\/\/([^/>\s:]{1,255})[^/>\s]{0,10}(\/[^>\s?#]{0,500})/i.exec(read('list-post'))
  return {
    id: (/<([^<>\s]{1,320})>\s*$/.exec(read('list-id')) ?? [])[1]?.toLowerCase() ?? '',
    page: page?.slice(1).map((half) => half.toLowerCase()) ?? [],
    programs: ['sender', 'return-path'].map((name) =>
      (parseAddressList(read(name))[0]?.address ?? '').toLowerCase().split('@'),
    ),
  }
}

/** Tells whether a list has the name of an address. */
function hasNameOf(address: string, { id, page: [home = '', path = ''], programs }: Names): boolean {
  const { local, domain: host } = splitAddress(address.toLowerCase()) ?? { local: '', domain: '' }
  // Such is the address of one conversation, which only the program at the other end knows.
  if (local === '' || local.includes('+')) return false
  if (id.startsWith(`${local}.`) && isWithin(id.slice(local.length + 1), host)) return true
  if (isWithin(home, host) && path.split('/').includes(local)) return true
  return programs.some(
    ([program = '', domain]) =>
      domain === host &&
      (program === `owner-${local}` ||
        (program.startsWith(local) && PROGRAM.test(program.slice(local.length)))),
  )
}

/** A list as its mail shows it, with what it changed of whom the mail names. */
interface ReadList extends Pick<People, 'cc' | 'replyTo'> {
  list: MailList | null
}

/**
 * Reads the list that a message came through, and puts it where it belongs if it asks for the answers (by Reply-To): among
 * those whom its mail reached. So who answers writes to the person, and who answers all to the list as well. A message that
 * came through no list stays as it is.
 */
export function readList(people: People, head: MailHead): ReadList {
  const { from, to, cc, replyTo } = people
  const read = readerOf(head)
  const owned = ownedAddresses(read, people)
  if (!from || (owned.length === 0 && !isOfList(head))) return { list: null, cc, replyTo }
  if (!takesMail(read)) return { list: described(read, null, null, false), cc, replyTo }
  const named = [...namedAddresses(read), ...owned]
  const isAmong = (some: readonly MailAddress[], address: string) =>
    some.some((one) => isSame(one.address, address))
  const isReached = (address: string) => isAmong([...to, ...cc], address)
  const isNamed = (address: string) =>
    named.some((one) => isSame(one, address)) && (isReached(address) || !address.includes('+'))
  let names: Names | undefined
  const isLists = (address: string) => {
    if (isNamed(address)) return true
    names ??= namesOf(read)
    return hasNameOf(address, names)
  }
  // A list that writes in a person's stead has that person in Reply-To, and often in Cc.
  const isPersons = !isLists(from.address)
  const lists = replyTo.filter(
    ({ address }) =>
      !isSame(address, from.address) && (isLists(address) || (isPersons && isReached(address))),
  )
  const persons = replyTo.filter((one) => !lists.includes(one))
  const post = named[0] ?? [...to, ...cc, ...replyTo, from].find((one) => isLists(one.address))?.address
  const author = isPersons ? null : authorOf(read, from, [...persons, ...cc], isLists)
  return {
    list: described(read, post ?? null, author, !isPersons),
    cc: [...cc, ...lists.filter(({ address }) => !isReached(address))],
    replyTo: isPersons ? persons : persons.filter((one) => !isSame(one.address, from.address)),
  }
}

/** Who wrote a message into whose From the list has put itself, as Google Groups, Mailman and their like say it. */
function authorOf(
  read: Read,
  from: MailAddress,
  others: readonly MailAddress[],
  isLists: (address: string) => boolean,
): MailAddress | null {
  const shown = decodeHeader(from.name ?? '')
  const via = shown.search(/[ (]via\s/i)
  const name = withoutEnds(via < 0 ? shown : withoutEnd(shown.slice(0, via), /[ (]/), /['"\s]/)
  const said = ['x-original-from', 'x-original-sender'].flatMap((field) => parseAddressList(read(field)))
  const alike = others.find((one) => one.name !== null && one.name.toLowerCase() === name.toLowerCase())
  const found = [...said, ...(alike ? [alike] : [])].find(
    ({ address }) => isAddress(address) && !isLists(address),
  )
  return found ? { address: found.address, name: found.name ?? (name || null) } : null
}

function described(read: Read, post: string | null, author: MailAddress | null, isFrom: boolean): MailList {
  const [, phrase = '', id = null] = /^([^<]{0,500})<([^<>\s]{1,320})>/.exec(read('list-id')) ?? []
  const bare = /^[\w.-]{1,320}$/.exec(read('list-id'))?.[0] ?? null
  const name = withoutEnds(decodeHeader(phrase), /["\s]/)
  const unsubscribe = /<\s*((?:https?:|mailto:)[^<>\s]{1,1000})\s*>/i.exec(read('list-unsubscribe'))?.[1]
  return { id: id ?? bare, name: name || null, post, unsubscribe: unsubscribe ?? null, isFrom, author }
}
