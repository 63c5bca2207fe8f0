import {
  decodeHeader,
  MAX_ADDRESSES,
  type MailAddress,
  MailHead,
  malformedHeader,
  ownMessageId,
  parseMailDate,
  type RawHeaders,
  type ReadMailboxes,
  readHeaders,
  readList,
  readMailboxes,
  referredIds,
} from './headers'
import type { ParsedMail } from './parsed-mail'
import { detectOrigin, type Machine } from './reports'

// A file of its own: threads read mail, and who starts them need not load what reads all the rest.

/** Bytes read of the top header, unless somebody says otherwise. */
export const MAX_HEADER_BYTES = 256 * 1024

/**
 * Reads only the top header, in linear time and without MIME: what is left to say of a message that could not be parsed.
 *
 * @param flaw why the rest is missing, such as `parser-timeout`
 */
export const parseHeadersOnly = (raw: Uint8Array, flaw: string): ParsedMail =>
  describeHeaders(readHeaders(raw, MAX_HEADER_BYTES), [flaw])

/**
 * The mail of which not even the header could be read: it reads no byte of it.
 *
 * @param flaw why, such as `parser-timeout`
 */
export const unreadMail = (flaw: string): ParsedMail =>
  describeHeaders(
    {
      ...{ fields: [], bodyStart: 0 },
      ...{ isComplete: true, hasSureSignatures: true, hasStrayControl: false, isUnended: false },
    },
    [flaw, 'unread'],
  )

/** A message but for what shows whether a program wrote it. */
type Described = Omit<ParsedMail, keyof Machine>

/** Describes a message of which only the header could be read. */
export function describeHeaders(headers: RawHeaders, flaws: string[]): ParsedMail {
  const head = new MailHead(headers.fields)
  const unread = { bounce: null, complaint: null }
  const origin = detectOrigin(head, { ...unread, text: '' })
  return { ...describe(head, headers, flaws), ...unread, ...origin }
}

export function describe(head: MailHead, headers: RawHeaders, flaws: string[]): Described {
  const addresses = (name: string) => addressesIn(head.values(name))
  const from = head.sender ?? addresses('from')[0] ?? null
  const sender = addresses('sender')[0] ?? null
  const lists = ['to', 'cc', 'reply-to'].map((name) => readFields(head.values(name)))
  const [to, cc, replyTo] = lists.map(({ found }) => found) as [MailAddress[], MailAddress[], MailAddress[]]
  const own = head.value('message-id')
  const people = [from, sender, ...to, ...cc, ...replyTo]
  const known = new Set(people.map((one) => one?.address.toLowerCase()))
  const isAddressee = (word: string) => known.has(word)
  const mail = { own, isAddressee }
  const listed = readList({ from, to, cc, replyTo }, head)
  return {
    messageId: ownMessageId(own),
    inReplyTo: referredIds(head.value('in-reply-to'), mail)[0] ?? null,
    references: referredIds(head.value('references'), mail),
    from,
    sender,
    to,
    cc: listed.cc,
    replyTo: listed.replyTo,
    list: listed.list,
    subject: head.subject,
    sentAt: parseMailDate(head.value('date')),
    text: '',
    textStart: null,
    html: null,
    replyText: '',
    preview: '',
    headers: head.fields.map(({ name, value }) => ({ name, value: decodeHeader(value) })),
    attachments: [],
    flaws: [...headerFlaws(headers), ...addressFlaws(lists), ...flaws],
  }
}

const headerFlaws = ({ isComplete, hasStrayControl, isUnended }: RawHeaders): string[] => [
  ...(hasStrayControl ? [malformedHeader] : []),
  ...(isComplete ? [] : ['header-too-large']),
  ...(isUnended ? ['header-unended'] : []),
]

/** Tells in flaws which addresses answers leave out, and which were written otherwise. */
const addressFlaws = (lists: readonly ReadMailboxes[]): string[] => [
  ...(lists.every((one) => one.isUsable) ? [] : ['address-malformed']),
  ...(lists.some((one) => one.isMended) ? ['address-mended'] : []),
]

const addressesIn = (values: readonly string[]): MailAddress[] => readFields(values).found

function readFields(values: readonly string[]): ReadMailboxes {
  const found: MailAddress[] = []
  const read: ReadMailboxes[] = []
  for (const value of values) {
    if (found.length >= MAX_ADDRESSES) break
    const one = readMailboxes(value)
    read.push(one)
    found.push(...one.found)
  }
  return {
    found: found.slice(0, MAX_ADDRESSES),
    isWhole: read.every((one) => one.isWhole),
    isUsable: read.every((one) => one.isUsable),
    isMended: read.some((one) => one.isMended),
  }
}
