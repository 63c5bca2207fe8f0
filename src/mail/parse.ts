import { MAX_ADDRESSES, parseAddressList } from './address'
import { contentTypeOf, describeAttachments, filenameOf } from './attachment'
import { detectOrigin } from './auto-submitted'
import { type AttachedPart, bodyPartsOf } from './body-parts'
import { decodeHeader, headerValue, headerValues, type RawHeaders, readHeaders } from './header-reader'
import { htmlToText } from './html-to-text'
import { describeMachine, type Machine } from './machine'
import { parseMailDate } from './mail-date'
import { extractMessageIds, extractReferences } from './message-id'
import { type MimeContent, readMime } from './mime'
import type { AttachmentContent, MailAddress, ParsedMail, ParseLimits } from './parsed-mail'
import { contentOf } from './part-content'
import { readPartTree } from './part-tree'
import { extractReplyText } from './reply-text'
import { previewOf, singleLine, truncated, wellFormed, withLineFeeds } from './safe-text'
import { isForward } from './subject'
import { isVerbatim } from './verbatim-text'

export type {
  AttachmentContent,
  AutoReason,
  AutoSubmitted,
  Bounce,
  BounceRecipient,
  Complaint,
  MailAddress,
  MailHeader,
  ParsedAttachment,
  ParsedMail,
  ParseLimits,
  ReturnedMail,
} from './parsed-mail'

const DEFAULTS: Required<ParseLimits> = {
  maxBytes: 50 * 1024 * 1024,
  maxLines: 500_000,
  maxHeaderBytes: 256 * 1024,
  maxDepth: 30,
  maxBodyLength: 2 * 1024 * 1024,
  maxAttachments: 1000,
}
const LINE_FEED = 10

/**
 * Reads a mail (RFC 5322, MIME). Never throws: a mail beyond the limits or beyond understanding gives what its top
 * header says, and `flaws` says why.
 *
 * @param mailFrom the envelope sender, where that is known and not yet a Return-Path field of the mail: programs that
 * report or answer by themselves leave it empty (RFC 5321 §4.5.5, RFC 3834 §3.3)
 */
export async function parseMail(
  raw: Uint8Array,
  limits: ParseLimits = {},
  mailFrom?: string,
): Promise<ParsedMail> {
  const bounds = { ...DEFAULTS, ...limits }
  const headers = readHeaders(raw, bounds.maxHeaderBytes)
  const refusal = refuse(raw, bounds)
  if (refusal) return describeHeaders(headers, [refusal])
  try {
    const content = readMime(raw, headers, bounds.maxDepth, bounds.maxBodyLength)
    const mail = withBody(describe(headers, content.flaws), content, bounds)
    const textStart = isVerbatim(raw, headers.bodyStart, mail.text) ? headers.bodyStart : null
    return { ...mail, textStart, ...describeMachine(raw, headers.fields, mail, mailFrom) }
  } catch {
    return describeHeaders(headers, ['unparsable'])
  }
}

/**
 * Reads only the top header, in linear time and without MIME: what is left to say of a mail that could not be parsed.
 *
 * @param flaw why the rest is missing, such as `parser-timeout`
 */
export function parseHeadersOnly(raw: Uint8Array, flaw: string, limits: ParseLimits = {}): ParsedMail {
  return describeHeaders(readHeaders(raw, limits.maxHeaderBytes ?? DEFAULTS.maxHeaderBytes), [flaw])
}

/**
 * Reads attachments out of a mail.
 *
 * @param indexes as in `ParsedMail.attachments`
 * @returns null for each that there is not, and for all when the mail cannot be parsed. Never throws.
 */
export async function readAttachments(
  raw: Uint8Array,
  indexes: readonly number[],
  limits: ParseLimits = {},
): Promise<(AttachmentContent | null)[]> {
  const bounds = { ...DEFAULTS, ...limits }
  if (refuse(raw, bounds)) return indexes.map(() => null)
  try {
    const headers = readHeaders(raw, bounds.maxHeaderBytes)
    const { attachments } = bodyPartsOf(readPartTree(raw, bounds.maxDepth, headers).root)
    return indexes.map((index) => fileOf(attachments[index]))
  } catch {
    return indexes.map(() => null)
  }
}

/** A copy, so that not the whole mail crosses to another thread with it. */
function fileOf(attachment: AttachedPart | undefined): AttachmentContent | null {
  if (!attachment) return null
  const { part } = attachment
  return {
    filename: filenameOf(part.name),
    contentType: contentTypeOf(part.type),
    content: contentOf(part).slice(),
  }
}

function refuse(raw: Uint8Array, bounds: Required<ParseLimits>): string | null {
  if (raw.length > bounds.maxBytes) return 'too-large'
  return hasMoreLines(raw, bounds.maxLines) ? 'too-many-lines' : null
}

// Each line costs the parser over a hundred bytes, however short it is.
function hasMoreLines(raw: Uint8Array, count: number): boolean {
  if (raw.length <= count) return false
  let lines = 0
  for (let at = raw.indexOf(LINE_FEED); at !== -1 && lines <= count; at = raw.indexOf(LINE_FEED, at + 1))
    lines++
  return lines > count
}

/** A mail but for what shows whether a program wrote it. */
type Described = Omit<ParsedMail, keyof Machine>

/** What a mail is of which only the header could be read. */
function describeHeaders(headers: RawHeaders, flaws: string[]): ParsedMail {
  const unread = { bounce: null, complaint: null }
  const origin = detectOrigin(headers.fields, { ...unread, text: '' })
  return { ...describe(headers, flaws), ...unread, ...origin }
}

function describe({ fields, isComplete }: RawHeaders, flaws: string[]): Described {
  const value = (name: string) => headerValue(fields, name) ?? ''
  const addresses = (name: string) => addressesIn(headerValues(fields, name))
  return {
    messageId: extractMessageIds(value('message-id'))[0] ?? null,
    inReplyTo: extractMessageIds(value('in-reply-to'))[0] ?? null,
    references: extractReferences(value('references')),
    from: addresses('from')[0] ?? null,
    sender: addresses('sender')[0] ?? null,
    to: addresses('to'),
    cc: addresses('cc'),
    replyTo: addresses('reply-to'),
    subject: singleLine(decodeHeader(value('subject'))),
    sentAt: parseMailDate(value('date')),
    text: '',
    textStart: null,
    html: null,
    replyText: '',
    preview: '',
    headers: fields.map(({ name, value }) => ({ name, value: decodeHeader(value) })),
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

function withBody(mail: Described, content: MimeContent, bounds: Required<ParseLimits>): Described {
  const html = content.html ? wellFormed(truncated(content.html, bounds.maxBodyLength)) : null
  const text = content.text.trim() || !html ? content.text : htmlToText(html, bounds.maxBodyLength)
  const body = withLineFeeds(wellFormed(truncated(text, bounds.maxBodyLength)))
  const replyText = extractReplyText(body, { isForward: isForward(mail.subject) })
  const isCut = text.length > bounds.maxBodyLength || (content.html?.length ?? 0) > bounds.maxBodyLength
  const flaws = isCut ? ['body-truncated'] : []
  if (content.attachments.length > bounds.maxAttachments) flaws.push('too-many-attachments')
  return {
    ...mail,
    text: body,
    html,
    replyText,
    preview: previewOf(replyText || body),
    attachments: describeAttachments(content.attachments.slice(0, bounds.maxAttachments)),
    flaws: [...mail.flaws, ...flaws],
  }
}
