import MailComposer, { type MailComposerOptions } from 'nodemailer/lib/mail-composer'
import {
  asciiDomain,
  extractMessageIds,
  isAddress,
  type MailAddress,
  type MailHeader,
  splitAddress,
} from './headers'
import { htmlToText, textToHtml } from './html'
import { contentTypeOf, filenameOf } from './mime'
import { singleLine, wellFormed } from './text'

/** A file to send along. */
export interface ComposeAttachment {
  filename: string
  /** A media type; default `application/octet-stream`. */
  contentType?: string
  content: Uint8Array
  /** Without brackets: puts the part beside the HTML, which shows it as `cid:…` (RFC 2392). */
  contentId?: string
}

/** All that a mail says. Blind copies are no part of it: they belong to the envelope only. */
export interface ComposeDraft {
  from: MailAddress
  to: MailAddress[]
  cc?: MailAddress[]
  replyTo?: MailAddress[]
  subject: string
  text?: string
  html?: string
  /** With angle brackets, as `makeMessageId` gives it. */
  messageId: string
  date: Date
  inReplyTo?: string | null
  references?: string[]
  headers?: MailHeader[]
  attachments?: ComposeAttachment[]
}

const RESERVED = new Set(
  'from sender to cc bcc reply-to subject date message-id in-reply-to references mime-version return-path received dkim-signature'.split(
    ' ',
  ),
)

/**
 * Writes a mail (RFC 5322, MIME) with a text and an HTML part, each made from the other where one is missing.
 * Lines end with CRLF. No field can start another header: control characters become spaces.
 *
 * @throws TypeError for an address, a message id or a header name that a mail cannot carry
 */
export async function composeMail(draft: ComposeDraft): Promise<Uint8Array> {
  const composer = new MailComposer(options(draft)).compile()
  const bytes = await composer.build()
  return endsWithLine(bytes) ? bytes : Buffer.concat([bytes, Buffer.from('\r\n')])
}

/** Tells whether a draft may set that header itself: a field name of RFC 5322 §3.6.8 that restante does not write. */
export function isCustomHeader(name: string): boolean {
  const lower = name.toLowerCase()
  return /^[a-z0-9][a-z0-9-]{0,75}$/.test(lower) && !RESERVED.has(lower) && !/^(content|resent)-/.test(lower)
}

function options(draft: ComposeDraft): MailComposerOptions {
  const { text, html } = bodies(draft)
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
    text,
    html,
    attachments: (draft.attachments ?? []).map(toAttachment),
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Encodes a subject that has the form of encoded words (RFC 2047) once more: its author means the characters. */
function asWritten(subject: string): string {
  if (!subject.includes('=?')) return subject
  const pieces = subject.match(/.{1,10}/gu) ?? []
  return pieces.map((piece) => `=?utf-8?B?${Buffer.from(piece).toString('base64')}?=`).join(' ')
}

function bodies({ text, html }: ComposeDraft): { text: string; html: string } {
  const lines = wellFormed(text ?? htmlToText(html ?? '')).replace(/\r\n?/g, '\n')
  return { text: lines, html: wellFormed(html ?? textToHtml(lines)).replace(/\r\n?/g, '\n') }
}

function toAddress({ address, name }: MailAddress): { name: string; address: string } {
  const parts = splitAddress(address)
  if (!parts || !isAddress(address.trim())) {
    throw new TypeError(`"${singleLine(address)}" is no e-mail address: write it as local@domain.`)
  }
  return { name: singleLine(name ?? ''), address: `${parts.local}@${asciiDomain(parts.domain)}` }
}

function toMessageId(messageId: string): string {
  const id = extractMessageIds(messageId)[0]
  if (!id || id !== messageId)
    throw new TypeError('messageId must be one id with angle brackets, as makeMessageId gives it.')
  return id
}

function toHeader({ name, value }: MailHeader): { key: string; value: string } {
  if (!isCustomHeader(name))
    throw new TypeError(`The header "${singleLine(name)}" cannot be set: use X- or List- headers.`)
  return { key: name, value: singleLine(value) }
}

function toAttachment({ filename, contentType, content, contentId }: ComposeAttachment) {
  return {
    filename: filenameOf(filename) ?? 'attachment',
    contentType: contentTypeOf(contentType ?? ''),
    contentDisposition: contentId ? 'inline' : 'attachment',
    content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    cid: contentId ? singleLine(contentId).replace(/[<>\s]/g, '') : undefined,
  }
}

function endsWithLine(bytes: Uint8Array): boolean {
  return bytes.at(-1) === 10 && bytes.at(-2) === 13
}
