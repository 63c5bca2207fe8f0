import { decorativeAmong } from './decorative'
import { describe, describeHeaders, maxHeadBytes } from './head-only'
import { readHeaders } from './headers/header-reader'
import { MailHead } from './headers/mail-head'
import { isForward, isReply } from './headers/subject'
import { textShown } from './html/shown-text'
import { withLinks } from './linked-text'
import { attachmentTypeOf, contentTypeOf, describeAttachments, filenameOf } from './mime/attachment'
import { type AttachedPart, bodyPartsOf, type MimeContent, readMime } from './mime/body-parts'
import type { MimePart } from './mime/mime-part'
import { contentOf } from './mime/part-content'
import { readPartTree } from './mime/part-tree'
import type { ParsedMail } from './parsed-mail'
import { describeMachine } from './reports/machine'
import { extractReplyText } from './text/reply-text'
import { previewOf, truncated, wellFormed, withLineFeeds } from './text/safe-text'

/** Decoded content of one attachment. */
export interface AttachmentContent {
  filename: string | null
  contentType: string
  /** The content type with `charset` and `method`, as the part declares them. */
  fullType: string
  content: Uint8Array
}

/** Limits on the cost of a stranger's message. Ordinary mail stays far below the defaults. */
interface ParseLimits {
  /** Bytes of the whole message; default 50 MiB. */
  maxBytes?: number
  /** Lines of the whole message; default 500,000. */
  maxLines?: number
  /** Bytes read of the top header; default 256 KiB. */
  maxHeaderBytes?: number
  /** Nesting of MIME parts; default 30. */
  maxDepth?: number
  /** UTF-16 code units of text and HTML each; default 2 Mi. */
  maxBodyLength?: number
  /** Attachments listed; default 1,000. */
  maxAttachments?: number
}

const defaults: Required<ParseLimits> = {
  maxBytes: 50 * 1024 * 1024,
  maxLines: 500_000,
  maxHeaderBytes: maxHeadBytes,
  maxDepth: 30,
  maxBodyLength: 2 * 1024 * 1024,
  maxAttachments: 1000,
}
const lineFeed = 10

/**
 * Parses a message (RFC 5322, MIME). Never throws: if the message exceeds a limit or cannot be parsed,
 * returns its top header, with the reason in `flaws`.
 *
 * @param mailFrom the envelope sender, if known and not yet a Return-Path field of the message. Programs that
 * report or answer automatically leave it empty (RFC 5321 §4.5.5, RFC 3834 §3.3).
 */
export async function parseMail(
  raw: Uint8Array,
  limits: ParseLimits = {},
  mailFrom?: string,
): Promise<ParsedMail> {
  return parsed(raw, { ...defaults, ...limits }, mailFrom)
}

/**
 * Returns the length of HTML that does not start with markup. A changed Content-Type that shows a text as
 * HTML can hide everything after a `<!--`.
 */
const unlikeHtml = ({ type }: MimePart, html: string | null): number | undefined =>
  type === 'text/html' && html !== null && !/^[\s\ufeff]{0,1000}</.test(html) ? html.length : undefined

function parsed(raw: Uint8Array, bounds: Required<ParseLimits>, mailFrom: string | undefined): ParsedMail {
  const headers = readHeaders(raw, bounds.maxHeaderBytes)
  const refusal = refuse(raw, bounds)
  if (refusal) return describeHeaders(headers, [refusal])
  try {
    const content = readMime(raw, headers, bounds.maxDepth, bounds.maxBodyLength)
    const head = new MailHead(headers.fields, mailFrom)
    const body = bodyOf(head, content, bounds)
    const { text, html, replyText, preview, attachments } = body
    const described = describe(head, headers, [...content.flaws, ...body.flaws])
    const textStart = text !== '' && text === content.verbatim ? headers.bodyStart : null
    const machine = describeMachine(raw, head, { text, attachments, root: content.root })
    const { bounce, complaint, autoSubmitted, autoReason, via } = machine
    return {
      ...described,
      text,
      textStart,
      html,
      replyText,
      preview,
      attachments,
      outsideParts: content.root.outside ?? unlikeHtml(content.root, html),
      outsideField: content.root.encoding === 'uuencode' ? 'content-transfer-encoding' : 'content-type',
      bounce,
      complaint,
      autoSubmitted,
      autoReason,
      via,
    }
  } catch {
    return describeHeaders(headers, ['unparsable'])
  }
}

/**
 * Reads attachments of a message. Never throws.
 *
 * @param indexes as in `ParsedMail.attachments`
 * @returns null for an index without attachment, and for all if the message cannot be parsed
 */
export async function readAttachments(
  raw: Uint8Array,
  indexes: readonly number[],
  limits: ParseLimits = {},
): Promise<(AttachmentContent | null)[]> {
  const bounds = { ...defaults, ...limits }
  if (refuse(raw, bounds)) return indexes.map(() => null)
  try {
    const headers = readHeaders(raw, bounds.maxHeaderBytes)
    const { attachments } = bodyPartsOf(readPartTree(raw, bounds.maxDepth, headers).root)
    return indexes.map((index) => fileOf(attachments[index]))
  } catch {
    return indexes.map(() => null)
  }
}

/**
 * Returns the content type of a part with its parameters; without them if the part is read as another type.
 */
function fullTypeOf({ type, typeField }: AttachedPart['part']): string {
  const declared = attachmentTypeOf(typeField)
  return declared.split(';')[0] === contentTypeOf(type) ? declared : contentTypeOf(type)
}

/** Copies a file: transferring it to another thread must not transfer the whole message. */
function fileOf(attachment: AttachedPart | undefined): AttachmentContent | null {
  if (!attachment) return null
  const { part } = attachment
  return {
    filename: filenameOf(part.name),
    contentType: contentTypeOf(part.type),
    fullType: fullTypeOf(part),
    content: contentOf(part).slice(),
  }
}

function refuse(raw: Uint8Array, bounds: Required<ParseLimits>): string | null {
  if (raw.length > bounds.maxBytes) return 'too-large'
  return hasMoreLines(raw, bounds.maxLines) ? 'too-many-lines' : null
}

// Each line costs the parser over a hundred bytes, even an empty one.
function hasMoreLines(raw: Uint8Array, count: number): boolean {
  if (raw.length <= count) return false
  let lines = 0
  for (let at = raw.indexOf(lineFeed); at !== -1 && lines <= count; at = raw.indexOf(lineFeed, at + 1))
    lines++
  return lines > count
}

const answering = ['in-reply-to', 'references', 'thread-index', 'x-in-reply-to']

/** Returns whether the header shows no sign that a message answers another. */
const answersNothing = (head: MailHead): boolean =>
  !answering.some((name) => head.value(name) !== '') && !isReply(head.subject)

/** Content of a message. */
type Body = Pick<ParsedMail, 'text' | 'html' | 'replyText' | 'preview' | 'attachments' | 'flaws'>

function bodyOf(head: MailHead, content: MimeContent, bounds: Required<ParseLimits>): Body {
  const html = content.html ? wellFormed(truncated(content.html, bounds.maxBodyLength)) : null
  const shown = textShown(content.text, html, bounds.maxBodyLength)
  const text = html && shown === content.text ? withLinks(shown, html) : shown
  const body = withLineFeeds(wellFormed(truncated(text, bounds.maxBodyLength)))
  const isFirst = answersNothing(head)
  const options = { isForward: isForward(head.subject, body), author: head.sender }
  // Quotations in HTML have the form that programs write.
  const replyText = extractReplyText(body, { ...options, isFirst: content.text !== '' && isFirst })
  const isCut = text.length > bounds.maxBodyLength || (content.html?.length ?? 0) > bounds.maxBodyLength
  const flaws = isCut ? ['body-truncated'] : []
  if (content.attachments.length > bounds.maxAttachments) flaws.push('too-many-attachments')
  const listed = content.attachments.slice(0, bounds.maxAttachments)
  const described = describeAttachments(listed)
  const ids = described.map(({ contentId }) => contentId)
  const decorative = decorativeAmong(listed, html, ids, { ...options, isFirst })
  return {
    text: body,
    html,
    replyText,
    preview: previewOf(replyText || body),
    attachments: described.map((one) => (decorative.has(one.index) ? { ...one, decorative: true } : one)),
    flaws,
  }
}
