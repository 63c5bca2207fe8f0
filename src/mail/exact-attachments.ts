import type { Attachment } from 'postal-mime'
import { decodeBase64 } from './base64'
import { findParts, type MimePart } from './mime-parts'
import { decodeQuotedPrintable } from './quoted-printable'

// As deep as the parser reads messages within messages.
const MAX_MESSAGE_DEPTH = 10
const MAX_BASE64_CALENDAR = 1024 * 1024
const REPORTS = new Set<string | null>(['message/delivery-status', 'message/feedback-report'])
const CALENDARS = new Set<string | null>(['text/calendar', 'application/ics'])
const latin1 = new TextDecoder('latin1')
const encoder = new TextEncoder()

/** An attachment that was taken out of the mail. */
interface LiftedAttachment {
  part: MimePart
  body: Uint8Array
  /** What stands in its place. */
  marker: string
}

/** A mail with markers in place of attachments, and these. */
export interface LiftedMail {
  bytes: Uint8Array<ArrayBuffer>
  attachments: LiftedAttachment[]
}

/**
 * Takes out of a mail the attachments that the MIME parser would change: those that are not in base64, whose line ends
 * it makes its own, and calendars. `putBack` gives them their exact content (RFC 2045 §6, RFC 2046 §5.1.1).
 */
export function liftAttachments(mail: Uint8Array<ArrayBuffer>, maxDepth: number): LiftedMail {
  const parts = changedParts(mail, maxDepth, 0)
  if (parts.length === 0) return { bytes: mail, attachments: [] }
  // No sender can know it, so that no attachment passes for another.
  const secret = crypto.randomUUID().replaceAll('-', '')
  const attachments = parts.map(({ part, body }, index) => ({ part, body, marker: `${secret}x${index}` }))
  return { bytes: withMarkers(mail, attachments), attachments }
}

/**
 * Replaces the markers among the attachments that the parser found by what they stand for.
 *
 * @returns false when one is missing: then the parser has read the mail in another way, and the markers must not be used
 */
export function putBack(found: readonly Attachment[], lifted: readonly LiftedAttachment[]): boolean {
  const missing = new Map(lifted.map((attachment) => [attachment.marker, attachment]))
  for (const attachment of lifted.length > 0 ? found : []) {
    const marker = markerIn(attachment.content)
    const original = marker && missing.get(marker)
    if (!original) continue
    attachment.content = contentOf(original)
    missing.delete(marker)
  }
  return missing.size === 0
}

function changedParts(
  mail: Uint8Array,
  maxDepth: number,
  level: number,
): { part: MimePart; body: Uint8Array }[] {
  const parts = findParts(mail, maxDepth)
  const isReport = parts.some(({ type }) => REPORTS.has(type))
  return parts.flatMap((part) => {
    const { body } = part
    if (!body) return []
    if (!isReport && level < MAX_MESSAGE_DEPTH && isInlineMessage(part))
      return part.encoding === 'identity' ? changedParts(body, maxDepth, level + 1) : []
    return isAttachment(part) && isChanged(part, body) ? [{ part, body }] : []
  })
}

const isInlineMessage = ({ type, disposition }: MimePart) =>
  type === 'message/rfc822' && (disposition === '' || disposition === 'inline')

const isAttachment = ({ type, disposition }: MimePart) =>
  disposition === 'attachment' ||
  (disposition !== null && type !== null && type !== 'text/plain' && type !== 'text/html')

function isChanged({ type, encoding, charset }: MimePart, body: Uint8Array): boolean {
  if (!CALENDARS.has(type)) return encoding !== 'base64' && encoding !== null
  // The parser reads calendars as text: a marker would not survive UTF-16.
  const isReadable = !charset?.includes('16')
  return isReadable && encoding !== null && (encoding !== 'base64' || body.length <= MAX_BASE64_CALENDAR)
}

function withMarkers(mail: Uint8Array, attachments: readonly LiftedAttachment[]): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = []
  let at = 0
  for (const { part, body, marker } of attachments) {
    const start = body.byteOffset - mail.byteOffset
    const written = part.encoding === 'base64' ? btoa(marker) : marker
    pieces.push(mail.subarray(at, start), encoder.encode(written))
    at = start + body.length
  }
  return joined([...pieces, mail.subarray(at)])
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

// The parser puts a line end after it.
function markerIn(content: Attachment['content']): string | null {
  if (typeof content === 'string' || content.byteLength > 64) return null
  return latin1.decode(content).trimEnd()
}

function contentOf({ part: { encoding }, body }: LiftedAttachment): Uint8Array {
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(body)
  return encoding === 'base64' ? decodeBase64(body) : body
}
