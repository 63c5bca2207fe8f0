import MailComposer, { type MailComposerOptions } from 'nodemailer/lib/mail-composer'
import { namedParts } from './content-ids'
import { encodedWords, hasLongWord, writeCustomHeader } from './custom-header'
import { asciiDomain, isAddress, type MailAddress, splitAddress } from './headers/address'
import type { MailHeader } from './headers/header-reader'
import { extractMessageIds } from './headers/message-id'
import { htmlToText } from './html/html-to-text'
import { textToHtml } from './html/text-to-html'
import { attachmentTypeOf, filenameOf } from './mime/attachment'
import { endingOfType } from './mime/file-type'
import { singleLine, truncated, wellFormed } from './text/safe-text'

/** A file to attach. */
export interface ComposeAttachment {
  filename: string
  /** A media type, which may have `charset` and `method`; default: `application/octet-stream`. */
  contentType?: string
  content: Uint8Array
  /** Without brackets. If the HTML names it as `cid:…` (RFC 2392), the part is placed beside the HTML. */
  contentId?: string
}

/** All content of a message. Blind copies are not part of it: they belong to the envelope only. */
export interface ComposeDraft {
  from: MailAddress
  to: MailAddress[]
  cc?: MailAddress[]
  replyTo?: MailAddress[]
  subject: string
  text?: string
  html?: string
  /** With angle brackets, as `makeMessageId` returns it. */
  messageId: string
  date: Date
  inReplyTo?: string | null
  references?: string[]
  headers?: MailHeader[]
  attachments?: ComposeAttachment[]
}

const reserved = new Set(
  'from sender to cc bcc reply-to subject date message-id in-reply-to references mime-version return-path received dkim-signature'.split(
    ' ',
  ),
)

/**
 * Writes a message (RFC 5322, MIME) with a text and an HTML part; a missing one is made from the other. Lines
 * end with CRLF. No field can start another header: control characters become spaces.
 *
 * @throws TypeError for an address, a message id or a header name that a message cannot carry
 */
export async function composeMail(draft: ComposeDraft): Promise<Uint8Array> {
  const composer = new MailComposer(options(draft)).compile()
  const bytes = await composer.build()
  return endsWithLine(bytes) ? bytes : Buffer.concat([bytes, Buffer.from('\r\n')])
}

/**
 * Returns whether a draft may set a header itself: a field name of RFC 5322 §3.6.8 that restante does not
 * write.
 */
export function isCustomHeader(name: string): boolean {
  const lower = name.toLowerCase()
  return /^[a-z0-9][a-z0-9-]{0,75}$/.test(lower) && !reserved.has(lower) && !/^(content|resent)-/.test(lower)
}

function options(draft: ComposeDraft): MailComposerOptions {
  const { text, html: written } = bodies(draft)
  const files = draft.attachments ?? []
  const answer = files.find(({ contentType = '' }) => calendarAnswer.test(contentType))
  const { html, contentIds } = namedParts(
    written,
    files.map(({ contentId }) => contentId),
  )
  return {
    from: toAddress(draft.from),
    to: draft.to.map(toAddress),
    cc: (draft.cc ?? []).map(toAddress),
    replyTo: (draft.replyTo ?? []).map(toAddress),
    subject: asWritten(singleLine(draft.subject)),
    messageId: toMessageId(draft.messageId),
    date: draft.date,
    inReplyTo: extractMessageIds(draft.inReplyTo ?? '')[0],
    references: (draft.references ?? []).flatMap(extractMessageIds),
    headers: (draft.headers ?? []).map(toHeader),
    // An answer without words still is an alternative of a text, as calendars write it.
    text: answer && text === '' ? '\n' : text,
    html,
    attachments: files.flatMap((file, at) => (file === answer ? [] : [toAttachment(file, contentIds[at])])),
    ...(answer && { icalEvent: toCalendar(answer) }),
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/**
 * Encodes a subject that looks like encoded words (RFC 2047), since its author means the characters. Also
 * encodes one with a word that no line can hold.
 */
const asWritten = (subject: string): string =>
  subject.includes('=?') || hasLongWord(subject) ? encodedWords(subject) : subject

const maxNameLength = 300

function bodies({ text, html }: ComposeDraft): { text: string; html: string } {
  const lines = wellFormed(text ?? htmlToText(html ?? '')).replace(/\r\n?/g, '\n')
  return { text: lines, html: wellFormed(html ?? textToHtml(lines)).replace(/\r\n?/g, '\n') }
}

function toAddress({ address, name }: MailAddress): { name: string; address: string } {
  const parts = splitAddress(address)
  if (!parts || !isAddress(address.trim())) {
    throw new TypeError(`"${singleLine(address)}" is not an email address: write it as local@domain.`)
  }
  return {
    name: truncated(singleLine(name ?? ''), maxNameLength),
    address: `${parts.local}@${asciiDomain(parts.domain)}`,
  }
}

function toMessageId(messageId: string): string {
  const id = extractMessageIds(messageId)[0]
  if (!id || id !== messageId)
    throw new TypeError('messageId must be one id with angle brackets, as makeMessageId gives it.')
  return id
}

function toHeader({ name, value }: MailHeader) {
  if (!isCustomHeader(name))
    throw new TypeError(`The header "${singleLine(name)}" cannot be set: use X- or List- headers.`)
  return { key: name, value: { prepared: true, value: writeCustomHeader({ name, value }) } }
}

/** Names a file by its type if the sender gave no name. */
const nameOf = (filename: string, contentType: string): string =>
  filenameOf(filename) ?? `attachment${endingOfType(contentType)}`

/** Content type of an answer to an invitation, which calendars process only beside the text (RFC 6047). */
const calendarAnswer = /^text\/calendar ?; ?method="?(reply|counter)"?$/i

/** Returns the answer to an invitation as an alternative of the text, and as a file. */
const toCalendar = ({ filename, contentType = '', content }: ComposeAttachment) => ({
  method: calendarAnswer.exec(contentType)![1]!.toUpperCase(),
  filename: nameOf(filename, 'text/calendar'),
  content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
})

function toAttachment(
  { filename, contentType: written, content }: ComposeAttachment,
  cid: string | undefined,
) {
  const contentType = attachmentTypeOf(written ?? '')
  return {
    filename: nameOf(filename, contentType),
    contentType: isUnsafeMessage(contentType, content) ? 'application/octet-stream' : contentType,
    contentDisposition: cid === undefined ? 'attachment' : 'inline',
    content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    cid,
  } as const
}

/**
 * Returns whether a part cannot be sent as a `message/*` type. No encoding is allowed for it (RFC 2046
 * section 5.2.1), so it must be 7bit (RFC 2045 section 2.7). As a file in base64 it arrives unchanged.
 */
function isUnsafeMessage(contentType: string, content: Uint8Array): boolean {
  if (!contentType.startsWith('message/')) return false
  let length = 0
  for (const byte of content) {
    if (byte === 0 || byte > 127) return true
    length = byte === 10 || byte === 13 ? 0 : length + 1
    if (length > 998) return true
  }
  return false
}

function endsWithLine(bytes: Uint8Array): boolean {
  return bytes.at(-1) === 10 && bytes.at(-2) === 13
}
