import type { Attachment } from 'postal-mime'
import type { ParsedAttachment } from './parsed-mail'
import { singleLine, truncated } from './safe-text'

/** Lists attachments without their contents. */
export function describeAttachments(attachments: readonly Attachment[]): ParsedAttachment[] {
  return attachments.map((attachment, index) => ({
    index,
    filename: filenameOf(attachment.filename),
    contentType: contentTypeOf(attachment.mimeType),
    size: typeof attachment.content === 'string' ? attachment.content.length : attachment.content.byteLength,
    inline:
      attachment.disposition === 'inline' || (attachment.related === true && attachment.disposition === null),
    contentId: contentIdOf(attachment.contentId),
  }))
}

/** The last path segment of a file name, on one line and of at most 255 characters; null when nothing is left. */
export function filenameOf(name: string | null): string | null {
  const clean = singleLine(name ?? '')
  const segment = clean.split(/[/\\]/).at(-1)?.trim() ?? ''
  return /^\.*$/.test(segment) ? null : truncated(segment, 255)
}

/** A media type as it may go into a header; `application/octet-stream` for what is none. */
export function contentTypeOf(type: string): string {
  const clean = type.trim().toLowerCase()
  return /^[\w!#$&^.+-]{1,80}\/[\w!#$&^.+-]{1,80}$/.test(clean) ? clean : 'application/octet-stream'
}

function contentIdOf(contentId: string | undefined): string | null {
  return singleLine(contentId ?? '').replace(/^<|>$/g, '') || null
}
