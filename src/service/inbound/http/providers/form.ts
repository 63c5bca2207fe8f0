import { turn, turnBytes } from '../../../base/turns'
import { NotMail } from './provider'

/** Form fields as bytes: `formData()` would decode them as text and lose everything that is not UTF-8. */
export interface FormFields {
  /**
   * Returns the bytes of a field. The boundary can be known (SendGrid's is constant), so a message could
   * contain forged fields: a repeated field is refused.
   *
   * @param maxBytes Maximum length of the encoded value; a longer one is not decoded and counts as missing.
   * @throws NotMail if the field is repeated
   */
  get(name: string, maxBytes?: number): Buffer | undefined
}

class Fields implements FormFields {
  readonly #values = new Map<string, { value: Buffer; decode: (value: Buffer) => Buffer }>()
  readonly #repeated = new Set<string>()
  #count = 0

  /**
   * Adds a field, which is decoded on access: small fields prove the sender before. Nameless ones are only
   * counted, since a body may have millions.
   */
  add(name: string, value: Buffer, decode = (bytes: Buffer) => bytes): void {
    if (++this.#count > maxFields) throw new NotMail('the form has too many fields')
    if (name === '') return
    if (this.#values.has(name)) this.#repeated.add(name)
    else this.#values.set(name, { value, decode })
  }

  get(name: string, maxBytes = Number.POSITIVE_INFINITY): Buffer | undefined {
    if (this.#repeated.has(name)) throw new NotMail(`the form has the field ${name} more than once`)
    const found = this.#values.get(name)
    return found && found.value.length <= maxBytes ? found.decode(found.value) : undefined
  }
}

const maxFields = 1_000
/** Maximum length of an encoded name; no provider has longer ones. */
const maxNameBytes = 1_000

const [percent, plus, space] = [0x25, 0x2b, 0x20]

/** Values of hexadecimal digits by character code; -1 for any other byte. */
const digits = Int8Array.from({ length: 256 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase())
  return code < 128 ? digit : -1
})

/** Decodes percent-encoding and `+`. Linear time, without an object for each byte. */
function percentDecoded(part: Buffer): Buffer {
  const out = Buffer.allocUnsafe(part.length)
  let size = 0
  for (let at = 0; at < part.length; at++) {
    const byte = part[at]!
    const isEscape = byte === percent && at + 2 < part.length
    const high = isEscape ? digits[part[at + 1]!]! : -1
    const low = isEscape ? digits[part[at + 2]!]! : -1
    if (high >= 0 && low >= 0) {
      out[size++] = high * 16 + low
      at += 2
    } else out[size++] = byte === plus ? space : byte
  }
  return out.subarray(0, size)
}

function urlEncoded(body: Buffer): FormFields {
  const fields = new Fields()
  for (let at = 0; at <= body.length; ) {
    const found = body.indexOf('&', at)
    const end = found < 0 ? body.length : found
    const pair = body.subarray(at, end)
    const equals = pair.subarray(0, maxNameBytes).indexOf('=')
    const name = percentDecoded(pair.subarray(0, Math.max(0, equals))).toString()
    fields.add(name, pair.subarray(equals + 1), percentDecoded)
    at = end + 1
  }
  return fields
}

const maxPartHeaderBytes = 4 * 1024
/** RFC 2046 section 5.1.1. A longer one would make the search for it quadratic. */
const maxBoundaryLength = 70

const nameIn = (header: string) =>
  /^content-disposition:[^\r\n]*;\s*name="?([^";\r\n]*)"?/im.exec(header)?.[1]

/** Creates a search that goes forward through a body, and lets the event loop serve others after each megabyte. */
function searchIn(body: Buffer, bytes: Buffer): (start: number) => Promise<number> {
  let turnAt = turnBytes
  return async (start) => {
    for (let at = start; at < body.length; at += turnBytes) {
      const found = body.subarray(at, at + turnBytes + bytes.length - 1).indexOf(bytes)
      const searchedTo = at + (found < 0 ? turnBytes : found)
      if (searchedTo >= turnAt) {
        await turn()
        turnAt = searchedTo + turnBytes
      }
      if (found >= 0) return at + found
    }
    return -1
  }
}

/** Parses `multipart/form-data` (RFC 7578). */
async function multipart(body: Buffer, boundary: string): Promise<FormFields> {
  const fields = new Fields()
  if (boundary.length > maxBoundaryLength) throw new NotMail('the boundary of the form is too long')
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const find = searchIn(body, delimiter)
  // The first delimiter may stand at the start of the body.
  const isAtStart = body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2))
  let at = isAtStart ? -2 : await find(0)
  while (at !== -1) {
    const start = at + delimiter.length
    const next = await find(start)
    if (next === -1) break
    const head = body.subarray(start, Math.min(next, start + maxPartHeaderBytes))
    const lineEnd = head.indexOf('\r\n')
    const headerEnd = lineEnd < 0 ? -1 : head.indexOf('\r\n\r\n', lineEnd + 2)
    const name = headerEnd < 0 ? undefined : nameIn(head.toString('latin1', lineEnd + 2, headerEnd))
    fields.add(name ?? '', body.subarray(start + headerEnd + 4, next))
    at = next
  }
  return fields
}

/** Parses a form of either type, and lets the event loop serve others in between. @throws NotMail */
export async function readForm(body: Buffer, contentType: string): Promise<FormFields> {
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) return urlEncoded(body)
  const boundary = /^multipart\/form-data\b.*?;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType)
  if (boundary) return multipart(body, (boundary[1] ?? boundary[2])!)
  throw new NotMail(`the body is no form but ${JSON.stringify(contentType.slice(0, 80))}`)
}
