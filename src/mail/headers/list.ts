import { withoutEnd, withoutEnds } from '../text/safe-text'
import { isAddress, type MailAddress, splitAddress } from './address'
import { parseAddressList } from './address-list'
import { decodeHeader } from './header-reader'
import type { MailHead } from './mail-head'

const maxLength = 2000
const listFields = [
  'list-id',
  'list-post',
  'mailing-list',
  'x-mailing-list',
  'x-beenthere',
  'x-google-group-id',
]

/** Suffixes of a list program's addresses, after the name of the list. */
const programPattern = /^[-+](?:bounce|owner|admin|request)/i

/** A mailing list that a message came through (RFC 2369, RFC 2919), according to its header. */
export interface MailList {
  /** List-Id, without brackets. */
  id: string | null
  /** Name of the list before the List-Id. */
  name: string | null
  /** Address for messages to the list; null if the list accepts none or does not name it. */
  post: string | null
  /** First address of List-Unsubscribe: a web page, or an address to write to. */
  unsubscribe: string | null
  /** True if the list put its own address into From. */
  isFrom: boolean
  /** Author of the message, according to a list that put itself into From; not proven. */
  author: MailAddress | null
}

/** Addresses in the header of a message. */
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
    head.value(name).slice(0, maxLength)

/** Returns whether a list accepts messages (RFC 2369 §3.4). */
const takesMail = (read: Read) => !/^\s*no\b/i.test(read('list-post'))

const isOfList = (head: MailHead) =>
  listFields.some((name) => head.value(name) !== '') || /^\s*list\b/i.test(head.value('precedence'))

const owner = /^\s*<?owner-([^\s@<>]{2,100})@([^\s@<>]{3,255}?)>?\s*$/i

/** Returns the addresses of a list whose program, such as Majordomo, names only its owner. */
function ownedAddresses(read: Read, { to, cc }: People): string[] {
  for (const name of ['sender', 'return-path', 'errors-to']) {
    const value = read(name)
    const [, list = '', host = ''] = (value !== '' && owner.exec(value)) || []
    if (!list) continue
    const reached = [...to, ...cc].filter(
      ({ address }) => splitAddress(address)?.local.toLowerCase() === list.toLowerCase(),
    )
    if (reached.length > 0 || name === 'sender')
      return [`${list}@${host}`, ...reached.map(({ address }) => address)]
  }
  return []
}

/** Returns the addresses for messages to the list, from its fields. */
function namedAddresses(read: Read): string[] {
  const posted = /<mailto:([^>?]{1,320})/i.exec(read('list-post'))?.[1] ?? ''
  const contact = /\blist\s+(\S{1,320}?)[;,]/i.exec(`${read('mailing-list')};`)?.[1] ?? ''
  return [posted, contact, read('x-beenthere'), read('x-mailing-list')].flatMap((text) =>
    parseAddressList(text).flatMap(({ address }) => (splitAddress(address) ? address : [])),
  )
}

/** Returns whether two parsed addresses are the same. */
const isSame = (one: string, other: string): boolean =>
  one.length === other.length && one.toLowerCase() === other.toLowerCase()

const isWithin = (host: string, other: string) =>
  host !== '' && (host === other || host.endsWith(`.${other}`) || other.endsWith(`.${host}`))

/** Sources of the name of a list, in lower case. */
interface Names {
  /** List-Id. */
  id: string
  /** Web page for messages to the list: host and path. */
  page: readonly string[]
  /** Addresses of its program, each in two halves. */
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

/** Returns whether a list has the name of an address. */
function hasNameOf(address: string, { id, page: [home = '', path = ''], programs }: Names): boolean {
  const { local, domain: host } = splitAddress(address.toLowerCase()) ?? { local: '', domain: '' }
  // An address with a tag is for one conversation, which only the program that made it knows.
  if (local === '' || local.includes('+')) return false
  if (id.startsWith(`${local}.`) && isWithin(id.slice(local.length + 1), host)) return true
  if (isWithin(home, host) && path.split('/').includes(local)) return true
  return programs.some(
    ([program = '', domain]) =>
      domain === host &&
      (program === `owner-${local}` ||
        (program.startsWith(local) && programPattern.test(program.slice(local.length)))),
  )
}

/** A list according to a message, with the addresses that it changed in Cc and Reply-To. */
interface ReadList extends Pick<People, 'cc' | 'replyTo'> {
  list: MailList | null
}

/**
 * Reads the list that a message came through. Moves its address from Reply-To to Cc, so that a reply goes to
 * the person, and a reply to all to the list as well. A message that came through no list stays unchanged.
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
  // A list that writes for a person has that person in Reply-To, and often in Cc.
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

/**
 * Returns the author of a message whose From is the list, from fields of Google Groups, Mailman and the like.
 */
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
