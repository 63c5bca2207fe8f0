import { singleLine, truncated } from '../text/safe-text'
import type { AttachedPart } from './body-parts'
import { readParameters } from './parameters'
import { contentOf } from './part-content'

/** An attachment without its content, which `readAttachments` returns. */
export interface ParsedAttachment {
  /** Position in the message, from 0; the argument of `readAttachments`. */
  index: number
  /** Last path segment of the sender's file name, without control characters. */
  filename: string | null
  /** Lower case, without parameters, such as `application/pdf`. */
  contentType: string
  /** Decoded size in bytes. */
  size: number
  /** True for parts shown within the HTML body. */
  inline: boolean
  /** Content-ID without angle brackets, as `cid:` links spell it (RFC 2392). */
  contentId: string | null
  /** True for a picture that belongs to the layout, such as a logo in a signature; missing for other files. */
  decorative?: true
}

/** Lists attachments without their contents. */
export function describeAttachments(attachments: readonly AttachedPart[]): ParsedAttachment[] {
  return attachments.map(({ part, isRelated }, index) => ({
    index,
    filename: filenameOf(part.name),
    contentType: contentTypeOf(part.type),
    size: contentOf(part).length,
    inline:
      part.disposition === 'inline' || (isRelated && part.contentId !== null && part.disposition === ''),
    contentId: contentIdOf(part.contentId),
  }))
}

/**
 * Returns the last path segment of a file name, on one line, at most 255 characters; null if nothing is left.
 */
export function filenameOf(name: string | null): string | null {
  const clean = singleLine(name ?? '')
  const segment = clean.split(/[/\\]/).at(-1)?.trim() ?? ''
  return /^\.*$/.test(segment) ? null : truncated(segment, 255)
}

/** Returns a media type fit for a header; `application/octet-stream` for an invalid one. */
export function contentTypeOf(type: string): string {
  const clean = type.trim().toLowerCase()
  return /^[\w!#$&^.+-]{1,80}\/[\w!#$&^.+-]{1,80}$/.test(clean) ? clean : 'application/octet-stream'
}

/** Parameters without which some types cannot be read: RFC 2046 section 4.1.2, RFC 6047 section 2.4. */
const keptParameters = ['charset', 'method']

/**
 * Returns a media type for an attachment, with its `charset` and `method`. A multipart is no file (RFC 2046
 * section 5.1): it becomes `application/octet-stream`, like any invalid type.
 */
export function attachmentTypeOf(written: string): string {
  const { value, parameters } = readParameters(written)
  const type = contentTypeOf(value)
  if (type.startsWith('multipart/')) return 'application/octet-stream'
  const kept = keptParameters.flatMap((name) => {
    const given = parameters.get(name)
    return given && /^[\w.:+-]{1,60}$/.test(given) ? [`${name}=${given}`] : []
  })
  return [type, ...kept].join('; ')
}

function contentIdOf(contentId: string | null): string | null {
  return singleLine(contentId ?? '').replace(/^<|>$/g, '') || null
}
