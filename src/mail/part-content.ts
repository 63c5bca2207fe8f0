import { decodeBase64 } from './base64'
import { charsetOfHtml, decodeText } from './charset'
import { unflow } from './flowed'
import type { MimePart } from './part-tree'
import { decodeQuotedPrintable } from './quoted-printable'
import { decodeUuencode } from './uuencode'

/** The octets that a part stands for (RFC 2045 §6), or those that its first `maxBytes` as written stand for. */
export function contentOf({ body, encoding }: MimePart, maxBytes?: number): Uint8Array {
  if (!body) return new Uint8Array(0)
  const written = maxBytes === undefined ? body : body.subarray(0, maxBytes)
  if (encoding === 'base64') return decodeBase64(written)
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(written)
  return encoding === 'uuencode' ? decodeUuencode(written) : written
}

/** The text of a part, its lines as they were joined when it was written (RFC 3676); they end with LF. */
export function textOf(part: MimePart, maxBytes?: number): string {
  const content = contentOf(part, maxBytes)
  const isHtml = part.type === 'text/html'
  const charset = part.charset ?? (isHtml ? charsetOfHtml(content) : null)
  const text = decodeText(content, charset).replaceAll('\r\n', '\n')
  return part.isFlowed && !isHtml ? unflow(text, part.deletesSpace) : text
}
