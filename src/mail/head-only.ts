import {
  decodeHeader,
  MAX_ADDRESSES,
  type MailAddress,
  MailHead,
  ownMessageId,
  parseAddressList,
  parseMailDate,
  type RawHeaders,
  readHeaders,
  readList,
  referredIds,
} from './headers'
import type { ParsedMail } from './parsed-mail'
import { detectOrigin, type Machine } from './reports'

// A file of its own: threads read mail, and who starts them need not load what reads all the rest.

/** Bytes read of the top header, unless somebody says otherwise. */
export const MAX_HEADER_BYTES = 256 * 1024
const [LINE_FEED, CARRIAGE_RETURN] = [10, 13]

/**
 * Reads only the top header, in linear time and without MIME: what is left to say of a mail that could not be parsed.
 *
 * @param flaw why the rest is missing, such as `parser-timeout`
 */
export const parseHeadersOnly = (raw: Uint8Array, flaw: string): ParsedMail =>
  describeHeaders(readHeaders(withLineEnds(raw), MAX_HEADER_BYTES), [flaw])

/** The mail with line feeds where its header has only bare carriage returns, as old programs wrote; else itself. */
export function withLineEnds(raw: Uint8Array): Uint8Array {
  const lineFeed = raw.indexOf(LINE_FEED)
  const first = (lineFeed === -1 ? raw : raw.subarray(0, lineFeed)).indexOf(CARRIAGE_RETURN)
  if (first === -1 || (lineFeed !== -1 && lineFeed <= first + 2)) return raw
  const isBare = (at: number) => raw[at] === CARRIAGE_RETURN && raw[at + 1] !== LINE_FEED
  if (lineFeed !== -1 && !hasBareEnd(raw, lineFeed)) return raw
  return raw.map((byte, at) => (byte === CARRIAGE_RETURN && isBare(at) ? LINE_FEED : byte))
}

/** Tells whether an empty line that only carriage returns make ends the header before the first line feed. */
function hasBareEnd(raw: Uint8Array, lineFeed: number): boolean {
  for (
    let at = raw.indexOf(CARRIAGE_RETURN);
    at !== -1 && at < lineFeed - 2;
    at = raw.indexOf(CARRIAGE_RETURN, at + 1)
  )
    if (raw[at + 1] === CARRIAGE_RETURN && raw[at + 2] !== LINE_FEED) return true
  return false
}

/** A mail but for what shows whether a program wrote it. */
type Described = Omit<ParsedMail, keyof Machine>

/** Describes a mail of which only the header could be read. */
export function describeHeaders({ fields, isComplete }: RawHeaders, flaws: string[]): ParsedMail {
  const head = new MailHead(fields)
  const unread = { bounce: null, complaint: null }
  const origin = detectOrigin(head, { ...unread, text: '' })
  return { ...describe(head, isComplete, flaws), ...unread, ...origin }
}

export function describe(head: MailHead, isComplete: boolean, flaws: string[]): Described {
  const addresses = (name: string) => addressesIn(head.values(name))
  const from = head.sender ?? addresses('from')[0] ?? null
  const sender = addresses('sender')[0] ?? null
  const [to, cc, replyTo] = [addresses('to'), addresses('cc'), addresses('reply-to')]
  const own = head.value('message-id')
  const known = [from, sender, ...to, ...cc, ...replyTo]
  const isAddressee = (word: string) => known.some((one) => one?.address.toLowerCase() === word)
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
    flaws: isComplete ? flaws : ['header-too-large', ...flaws],
  }
}

function addressesIn(values: string[]): MailAddress[] {
  const found: MailAddress[] = []
  for (const value of values) {
    if (found.length >= MAX_ADDRESSES) break
    found.push(...parseAddressList(value))
  }
  return found.slice(0, MAX_ADDRESSES)
}
