import { headerValue, readHeaders } from './header-reader'

const MAX_HEADER_BYTES = 16 * 1024
const MAX_VALUE_LENGTH = 2000
const MAX_BOUNDARY_LENGTH = 200

/** What the header of a MIME part says of its body (RFC 2045, RFC 2183). */
export interface PartFields {
  /** Lower case; null when it is not plain enough to be sure of, as with comments. */
  type: string | null
  /** Lower case, empty when missing; null when it is not plain enough to be sure of. */
  disposition: string | null
  encoding: 'base64' | 'quoted-printable' | 'identity' | null
  /** Lower case; null when there is none or it is not plain enough to be sure of. */
  charset: string | null
  boundary: string | null
}

/**
 * Reads the header of a MIME part. Only what every reader understands alike is understood.
 *
 * @param defaultType of a part that declares none: `message/rfc822` in a digest (RFC 2046 §5.1.5)
 */
export function readPartFields(header: Uint8Array, defaultType: string): PartFields {
  const { fields, isComplete } = readHeaders(header, MAX_HEADER_BYTES)
  const type = headerValue(fields, 'content-type') ?? defaultType
  const parameters = readParameters(type)
  return {
    type: isComplete ? firstValue(type) : null,
    disposition: firstValue(headerValue(fields, 'content-disposition') ?? ''),
    encoding: encodingOf(headerValue(fields, 'content-transfer-encoding') ?? ''),
    charset: parameters?.get('charset')?.toLowerCase() ?? null,
    boundary: parameters ? boundaryOf(parameters) : null,
  }
}

function firstValue(field: string): string | null {
  const end = field.indexOf(';')
  const value = end === -1 ? field : field.slice(0, end)
  return /["()\\]/.test(value) ? null : value.trim().toLowerCase()
}

function encodingOf(field: string): PartFields['encoding'] {
  if (field.includes('(')) return null
  const name = /[\w-]+/.exec(field.toLowerCase())?.[0] ?? ''
  if (name.includes('base64')) return 'base64'
  return name.includes('quoted-printable') ? 'quoted-printable' : 'identity'
}

// Null when something is not as RFC 2045 §5.1 has it. The first of two of the same name counts.
function readParameters(field: string): Map<string, string> | null {
  const parameters = new Map<string, string>()
  const start = field.indexOf(';')
  if (start === -1 || field.length > MAX_VALUE_LENGTH) return parameters
  const parameter = /;[\t ]*(?:([^\s=;"()\\]+)[\t ]*=[\t ]*(?:"((?:[^"\\]|\\.)*)"|([^;"()\\]*))[\t ]*)?/y
  for (parameter.lastIndex = start; parameter.lastIndex < field.length; ) {
    const found = parameter.exec(field)
    if (!found) return null
    const [, name, quoted, token = ''] = found
    const key = name?.toLowerCase()
    if (key && !parameters.has(key)) parameters.set(key, quoted?.replace(/\\(.)/g, '$1') ?? token.trim())
  }
  return parameters
}

function boundaryOf(parameters: ReadonlyMap<string, string>): string | null {
  // In pieces or encoded (RFC 2231), which nobody does.
  if ([...parameters.keys()].some((name) => name.startsWith('boundary*'))) return null
  const boundary = parameters.get('boundary') ?? ''
  const isPlain = /^[!-~](?:[ -~]*[!-~])?$/.test(boundary) && boundary.length <= MAX_BOUNDARY_LENGTH
  return isPlain ? boundary : null
}
