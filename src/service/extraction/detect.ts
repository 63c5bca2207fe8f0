import { charsetOfHtml, decodeText } from '../../mail/charsets/charset'
import { typeOfFilename } from '../../mail/mime/file-type'
import { isTnef } from '../../mail/mime/tnef'
import type { FileHints } from '../ports'
import { isTar } from './parts/tar'
import type { Zip } from './parts/zip'
import { delimiterOf } from './sheets/csv'

const textFormats = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/csv': 'csv',
  'text/markdown': 'markdown',
} as const satisfies Record<string, string>

/** Formats of text files. */
export type TextFormat = (typeof textFormats)[keyof typeof textFormats] | 'json' | 'xml' | 'vcard' | 'text'
/** Formats of archives whose members are a document. */
export type ZipFormat = 'docx' | 'pptx' | 'xlsx' | 'odt' | 'ods' | 'epub' | 'zip'
/** Formats of messages: of mail programs in general, and two of Outlook. */
export type MessageKind = 'message' | 'msg' | 'winmail'
/** Formats that the first bytes show. */
type BinaryFormat = 'pdf' | 'zip' | 'ole' | 'rtf' | 'gzip' | 'tar' | 'winmail' | 'picture' | 'binary'

const startsWith = (bytes: Uint8Array, ...values: number[]): boolean =>
  values.every((value, at) => bytes[at] === value)
const latin = (bytes: Uint8Array, end: number): string =>
  Buffer.from(bytes.subarray(0, end)).toString('latin1')

const isPicture = (bytes: Uint8Array): boolean =>
  startsWith(bytes, 0x89, 0x50, 0x4e, 0x47) ||
  startsWith(bytes, 0xff, 0xd8, 0xff) ||
  startsWith(bytes, 0x49, 0x49, 0x2a, 0) ||
  startsWith(bytes, 0x4d, 0x4d, 0, 0x2a) ||
  /^(?:GIF8[79]a|RIFF.{4}WEBP)/s.test(latin(bytes, 12)) ||
  /^.{4}ftyp(?:hei[cx]|mif1|avif)/s.test(latin(bytes, 12))

/** Returns whether bytes are no text in any charset; those of UTF-16 begin with a mark. */
function isBinary(bytes: Uint8Array): boolean {
  if (startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff)) return false
  return bytes.subarray(0, 8_192).includes(0)
}

/** Finds the format by the first bytes; null for text. */
export function binaryFormatOf(bytes: Uint8Array): BinaryFormat | null {
  if (startsWith(bytes, 0x50, 0x4b, 3, 4) || startsWith(bytes, 0x50, 0x4b, 5, 6)) return 'zip'
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) return 'ole'
  if (latin(bytes, 5) === '{\\rtf') return 'rtf'
  if (startsWith(bytes, 0x1f, 0x8b)) return 'gzip'
  if (isTar(bytes)) return 'tar'
  if (isTnef(bytes)) return 'winmail'
  if (isPicture(bytes)) return 'picture'
  // Other bytes may stand before a PDF.
  if (latin(bytes, 1_024).includes('%PDF-')) return 'pdf'
  return isBinary(bytes) ? 'binary' : null
}

const mediaTypes: Readonly<Record<string, ZipFormat>> = {
  'application/epub+zip': 'epub',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.text-template': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.spreadsheet-template': 'ods',
}
const mainParts: readonly [string, ZipFormat][] = [
  ['word/document.xml', 'docx'],
  ['ppt/presentation.xml', 'pptx'],
  ['xl/workbook.xml', 'xlsx'],
]

/** Finds the document that an archive is. */
export async function zipFormatOf(zip: Zip): Promise<ZipFormat> {
  const mimetype = zip.find('mimetype')
  if (mimetype && mimetype.size < 200 && !mimetype.isEncrypted) {
    const type = Buffer.from(await zip.read(mimetype))
      .toString('latin1')
      .trim()
    if (Object.hasOwn(mediaTypes, type)) return mediaTypes[type]!
  }
  return mainParts.find(([name]) => zip.find(name))?.[1] ?? 'zip'
}

/** Finds what a Compound File of Microsoft holds, by the names in its directory. */
export function oleFormatOf(bytes: Uint8Array): 'encrypted' | 'outlook' | 'other' {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (text.includes(Buffer.from('EncryptedPackage', 'utf16le'))) return 'encrypted'
  return text.includes(Buffer.from('__properties_version1.0', 'utf16le')) ? 'outlook' : 'other'
}

const htmlStart =
  /^\s{0,1000}(?:<\?xml[^>]{0,200}>\s{0,100})?(?:<!--[^>]{0,500}-->\s{0,100})?<(?:!doctype html|html|head|body|table|div)\b/i
/** Two fields of a header, or one before an empty line (RFC 5322 section 2.2). */
const messageStart =
  /^[!-9;-~]{1,100}:[^\r\n]{0,2000}\r?\n(?:[ \t][^\r\n]{0,2000}\r?\n){0,200}(?:[!-9;-~]{1,100}:|\r?\n)/

/** Returns whether the type of a text file, or its name, says that it is a message. */
const isNamedMessage = ({ contentType, filename }: FileHints): boolean =>
  /^message\/(?:rfc822|global)\b/i.test(contentType) || /\.eml$/i.test(filename ?? '')

/** Finds what kind of message a file is; null for any other file. */
export function messageKindOf(bytes: Uint8Array, hints: FileHints): MessageKind | null {
  const kind = binaryFormatOf(bytes)
  if (kind === 'winmail') return kind
  if (kind === 'ole') return oleFormatOf(bytes) === 'outlook' ? 'msg' : null
  return isNamedMessage(hints) && messageStart.test(latin(bytes, 65_536)) ? 'message' : null
}

/** Finds the format of a text by its content; the name and the declared type decide only where it is open. */
export function textFormatOf(text: string, { filename, contentType }: FileHints): TextFormat {
  const start = text.slice(0, 65_536)
  const named = typeOfFilename(filename ?? '')
  const declared = [contentType.split(';')[0]!.trim().toLowerCase(), named].find(
    (type): type is keyof typeof textFormats => type !== undefined && Object.hasOwn(textFormats, type),
  )
  if (/^\s{0,100}begin:vcard\b/i.test(start)) return 'vcard'
  if (htmlStart.test(start)) return 'html'
  if (/^\s{0,100}<\?xml\b/.test(start)) return 'xml'
  if (declared) return textFormats[declared]
  if (/^\s{0,100}[[{]/.test(start) && /json/.test(`${contentType} ${named}`)) return 'json'
  // Programs save tables of text under the names of Excel.
  if (/excel/.test(`${contentType} ${named}`) && delimiterOf(start)) return 'csv'
  return 'text'
}

/** Decodes a text file of any charset. */
export function decodeFile(bytes: Uint8Array, contentType: string): string {
  const [, declared = null] = /charset="?([\w.:-]{1,60})/i.exec(contentType) ?? []
  if (startsWith(bytes, 0xff, 0xfe)) return decodeText(bytes.subarray(2), 'utf-16le')
  if (startsWith(bytes, 0xfe, 0xff)) return decodeText(bytes.subarray(2), 'utf-16be')
  return decodeText(bytes, declared ?? charsetOfHtml(bytes)).replace(/^\ufeff/, '')
}
