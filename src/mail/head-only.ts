import type { MailAddress } from './headers/address'
import { maxAddresses, type ReadMailboxes, readMailboxes } from './headers/address-list'
import { malformedHeader, type RawHeaders, readHeader, readHeaders } from './headers/header-reader'
import { readList } from './headers/list'
import { parseMailDate } from './headers/mail-date'
import { MailHead } from './headers/mail-head'
import { ownMessageId, referredIds } from './headers/message-id'
import type { ParsedMail } from './parsed-mail'
import { detectOrigin } from './reports/auto-submitted'
import type { Machine } from './reports/machine'

// A file of its own: programs that parse in threads need not load the full parser.

/** Default limit of bytes read of the top header. */
export const maxHeadBytes = 256 * 1024

/**
 * Reads only the top header, in linear time and without MIME, for a message that could not be parsed.
 *
 * @param flaw why the rest is missing, such as `parser-timeout`
 */
export const parseHeadersOnly = (raw: Uint8Array, flaw: string): ParsedMail =>
  describeHeaders(readHeaders(raw, maxHeadBytes), [flaw])

/**
 * Describes a message whose header could not be read either; reads none of its bytes.
 *
 * @param flaw why, such as `parser-timeout`
 */
export const unreadMail = (flaw: string): ParsedMail =>
  describeHeaders(
    {
      ...{ fields: [], bodyStart: 0 },
      ...{ isComplete: true, hasSureSignatures: true, hasStrayControl: false, isUnended: false },
      isGuessed: false,
    },
    [flaw, 'unread'],
  )

/** A message without the results of automatic-mail detection. */
type Described = Omit<ParsedMail, keyof Machine>

/** Describes a message from its header alone. */
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
  const shown = head.fields.map(({ name, value }) => ({ name, ...readHeader(value) }))
  const isGuessed = headers.isGuessed || shown.some((one) => one.isGuessed)
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
    headers: shown.map(({ name, text }) => ({ name, value: text })),
    attachments: [],
    flaws: [...headerFlaws({ ...headers, isGuessed }), ...addressFlaws(lists), ...flaws],
  }
}

const headerFlaws = ({ isComplete, hasStrayControl, isUnended, isGuessed }: RawHeaders): string[] => [
  ...(hasStrayControl ? [malformedHeader] : []),
  ...(isComplete ? [] : ['header-too-large']),
  ...(isUnended ? ['header-unended'] : []),
  ...(isGuessed ? ['header-charset-guessed'] : []),
]

/** Returns flaws for addresses that replies leave out, and for addresses that were corrected. */
const addressFlaws = (lists: readonly ReadMailboxes[]): string[] => [
  ...(lists.every((one) => one.isUsable) ? [] : ['address-malformed']),
  ...(lists.some((one) => one.isMended) ? ['address-mended'] : []),
]

const addressesIn = (values: readonly string[]): MailAddress[] => readFields(values).found

function readFields(values: readonly string[]): ReadMailboxes {
  const found: MailAddress[] = []
  const read: ReadMailboxes[] = []
  for (const value of values) {
    if (found.length >= maxAddresses) break
    const one = readMailboxes(value)
    read.push(one)
    found.push(...one.found)
  }
  return {
    found: found.slice(0, maxAddresses),
    isWhole: read.every((one) => one.isWhole),
    isUsable: read.every((one) => one.isUsable),
    isMended: read.some((one) => one.isMended),
  }
}
