import { decodeHeader, headerValue, type MailHeader, readHeaders } from '../headers/header-reader'
import { readParameters } from './parameters'

const maxHeaderBytes = 16 * 1024
const maxBoundaryLength = 1000
const typePattern = /^[\w!#$&^.+*'~-]{1,80}\/[\w!#$&^.+*'~-]{1,80}$/

/** Fields of a MIME part's header that describe its body (RFC 2045, RFC 2183). */
export interface PartFields {
  /** Lower case. */
  type: string
  /** Raw Content-Type field; empty if missing. */
  typeField: string
  /** Lower case; empty if missing. */
  disposition: string
  encoding: 'base64' | 'quoted-printable' | 'uuencode' | 'identity'
  charset: string | null
  boundary: string | null
  /** File name, decoded. */
  name: string | null
  contentId: string | null
  /** From `format=flowed` (RFC 3676). */
  isFlowed: boolean
  /** From `DelSp=yes` (RFC 3676). */
  deletesSpace: boolean
}

/**
 * Reads the header of a MIME part.
 *
 * @param defaultType type of a part that declares none: `message/rfc822` in a digest (RFC 2046 §5.1.5)
 * @param mail the whole message
 */
export function readPartFields(header: Uint8Array, defaultType: string, mail: Uint8Array): PartFields {
  return partFieldsOf(readHeaders(header, maxHeaderBytes, mail).fields, defaultType)
}

/** Reads the fields of a MIME part from a parsed header. */
export function partFieldsOf(fields: readonly MailHeader[], defaultType: string): PartFields {
  const content = fields.filter(({ name }) => name.length > 8 && (name.charCodeAt(0) | 32) === 99)
  return content.length === 0 ? { ...plain, type: defaultType } : fieldsOf(content, defaultType)
}

const plain: PartFields = {
  type: 'text/plain',
  typeField: '',
  disposition: '',
  encoding: 'identity',
  charset: null,
  boundary: null,
  name: null,
  contentId: null,
  isFlowed: false,
  deletesSpace: false,
}

function fieldsOf(fields: readonly MailHeader[], defaultType: string): PartFields {
  const typeField = unwrapped(headerValue(fields, 'content-type') ?? '')
  const type = readParameters(typeField)
  const disposition = readParameters(unwrapped(headerValue(fields, 'content-disposition') ?? ''))
  const parameter = (name: string) => type.parameters.get(name)?.toLowerCase()
  const name = nameOf(disposition.parameters.get('filename') ?? type.parameters.get('name'))
  return {
    type: typeOf(type.value, name === null ? defaultOf(type.parameters, defaultType) : file, name),
    typeField,
    disposition: disposition.value,
    encoding: encodingOf(headerValue(fields, 'content-transfer-encoding') ?? ''),
    charset: parameter('charset')?.split(/[^\w.:+-]/, 1)[0] || null,
    boundary: boundaryOf(type.parameters.get('boundary')),
    name,
    contentId: headerValue(fields, 'content-id') ?? null,
    isFlowed: parameter('format') === 'flowed',
    deletesSpace: parameter('delsp') === 'yes',
  }
}

/** A field that is quoted as a whole, as in `"text/plain; charset=utf-8"`. */
const quotedPattern = /^"([\w.+-]{1,80}(?:\/[\w.+-]{1,80})?(?:;.{0,2000})?)"$/s

/** Removes wrappers of some programs around a whole field: quotes, or an encoded word (RFC 2047). */
function unwrapped(field: string): string {
  if (field.startsWith('=?')) return decodeHeader(field)
  const quoted = field.startsWith('"') ? quotedPattern.exec(field)?.[1] : undefined
  return quoted === undefined ? field : quoted.replace(/\\(["\\])/g, '$1')
}

const file = 'application/octet-stream'

/** Returns the type of a part without one: only a multipart has a boundary. */
const defaultOf = (parameters: ReadonlyMap<string, string>, defaultType: string): string =>
  parameters.has('boundary') ? 'multipart/mixed' : defaultType

/**
 * Treats an invalid media type as text, like messages before MIME (RFC 2045 §5.2); with a file name it is a
 * file.
 */
function typeOf(value: string, defaultType: string, name: string | null): string {
  if (value === '') return defaultType
  if (typePattern.test(value)) return value
  return name === null ? 'text/plain' : file
}

function encodingOf(field: string): PartFields['encoding'] {
  const name =
    /[\w-]+/.exec(
      field
        .slice(0, 500)
        .toLowerCase()
        .replace(/\([^)]{0,200}\)/g, ''),
    )?.[0] ?? ''
  if (name.includes('base64')) return 'base64'
  if (name.includes('quoted-printable')) return 'quoted-printable'
  return /^(?:x-)?uu(?:e|encode)?$/.test(name) ? 'uuencode' : 'identity'
}

const nameOf = (value: string | undefined) => (value === undefined ? null : decodeHeader(value) || null)

function boundaryOf(value = ''): string | null {
  const boundary = value.trimEnd()
  return boundary !== '' && boundary.length <= maxBoundaryLength ? boundary : null
}
