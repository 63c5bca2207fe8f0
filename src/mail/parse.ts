import { MAX_ADDRESSES, parseAddressList } from './address'
import { describeAttachments, filenameOf } from './attachment'
import { detectOrigin } from './auto-submitted'
import { decodeHeader, headerValue, headerValues, type RawHeaders, readHeaders } from './header-reader'
import { htmlToText } from './html-to-text'
import { describeMachine } from './machine'
import { parseMailDate } from './mail-date'
import { extractMessageIds, extractReferences } from './message-id'
import { type MimeContent, readMime } from './mime'
import type { AttachmentContent, MailAddress, ParsedMail, ParseLimits } from './parsed-mail'
import { extractReplyText } from './reply-text'
import { previewOf, singleLine, truncated, wellFormed } from './safe-text'
import { isForward } from './subject'

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
 */
export async function parseMail(raw: Uint8Array, limits: ParseLimits = {}): Promise<ParsedMail> {
  const bounds = { ...DEFAULTS, ...limits }
  const headers = readHeaders(raw, bounds.maxHeaderBytes)
  const refusal = refuse(raw, bounds)
  if (refusal) return describe(headers, [refusal])
  try {
    const email = await readMime(raw, headers, bounds.maxDepth)
    const mail = withBody(describe(headers, []), email, bounds)
    return { ...mail, ...describeMachine(raw, headers.fields, mail.text) }
  } catch (error) {
    return describe(headers, [flawOf(error)])
  }
}

/**
 * Reads only the top header, in linear time and without MIME: what is left to say of a mail that could not be parsed.
 *
 * @param flaw why the rest is missing, such as `parser-timeout`
 */
export function parseHeadersOnly(raw: Uint8Array, flaw: string, limits: ParseLimits = {}): ParsedMail {
  return describe(readHeaders(raw, limits.maxHeaderBytes ?? DEFAULTS.maxHeaderBytes), [flaw])
}

/**
 * Reads one attachment out of a mail.
 *
 * @param index as in `ParsedMail.attachments`
 * @returns null when there is no such attachment or the mail cannot be parsed. Never throws.
 */
export async function readAttachment(
  raw: Uint8Array,
  index: number,
  limits: ParseLimits = {},
): Promise<AttachmentContent | null> {
  const bounds = { ...DEFAULTS, ...limits }
  if (refuse(raw, bounds)) return null
  try {
    const headers = readHeaders(raw, bounds.maxHeaderBytes)
    const attachment = (await readMime(raw, headers, bounds.maxDepth)).attachments[index]
    if (!attachment || typeof attachment.content === 'string') return null
    const { filename, mimeType, content } = attachment
    return { filename: filenameOf(filename), contentType: mimeType, content: new Uint8Array(content) }
  } catch {
    return null
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

function flawOf(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  if (message.includes('nesting depth')) return 'too-deep'
  return message.includes('header size') ? 'part-headers-too-large' : 'unparsable'
}

function describe({ fields, isComplete }: RawHeaders, flaws: string[]): ParsedMail {
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
    html: null,
    replyText: '',
    preview: '',
    ...detectOrigin(fields, { bounce: null, complaint: null, text: '' }),
    bounce: null,
    complaint: null,
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

function withBody(mail: ParsedMail, email: MimeContent, bounds: Required<ParseLimits>): ParsedMail {
  const html = email.html ? wellFormed(truncated(email.html, bounds.maxBodyLength)) : null
  const text = email.text?.trim() || !html ? (email.text ?? '') : htmlToText(html, bounds.maxBodyLength)
  const body = wellFormed(truncated(text, bounds.maxBodyLength)).replace(/\r\n?/g, '\n')
  const replyText = extractReplyText(body, { isForward: isForward(mail.subject) })
  const isCut = text.length > bounds.maxBodyLength || (email.html?.length ?? 0) > bounds.maxBodyLength
  const flaws = isCut ? ['body-truncated'] : []
  if (email.attachments.length > bounds.maxAttachments) flaws.push('too-many-attachments')
  return {
    ...mail,
    text: body,
    html,
    replyText,
    preview: previewOf(replyText || body),
    attachments: describeAttachments(email.attachments.slice(0, bounds.maxAttachments)),
    flaws: [...mail.flaws, ...flaws],
  }
}
