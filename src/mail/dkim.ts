/**
 * Fields that name the sender, recipients and content. Each is signed once more than it occurs, so that none
 * can be added.
 */
const sealedFields = [
  'from', 'to', 'cc', 'reply-to', 'subject', 'date', 'message-id', 'in-reply-to', 'references',
  'mime-version', 'content-type', 'content-transfer-encoding',
] as const // biome-ignore format: a list

/** Other fields of RFC 6376 section 5.4.1 and RFC 8058 section 4: a mailing list may add its own. */
const otherFields = [
  'sender', 'auto-submitted', 'list-id', 'list-help', 'list-unsubscribe', 'list-unsubscribe-post', 'list-subscribe',
  'list-post', 'list-owner', 'list-archive', 'feedback-id', 'resent-date', 'resent-from', 'resent-to', 'resent-cc', 'resent-message-id',
] as const // biome-ignore format: a list

const fieldName = (field: string): string => field.slice(0, field.indexOf(':')).trim().toLowerCase()

/**
 * Makes one space of each run of blanks, a bounded piece at a time: a run of millions would overflow the
 * stack.
 */
function singleSpaced(text: string): string {
  let spaced = text.replaceAll('\t', ' ')
  while (spaced.includes('  ')) spaced = spaced.replace(/ {2,1000}/g, ' ')
  return spaced
}

/** Returns a header field in relaxed form (RFC 6376 section 3.4.2), without the line end. */
export function relaxedField(field: string): string {
  const value = field.slice(field.indexOf(':') + 1).replace(/\r\n/g, '')
  return `${fieldName(field)}:${singleSpaced(value).replace(/^ | $/g, '')}`
}

/**
 * Returns a body in relaxed form (RFC 6376 section 3.4.4). Lines end with CRLF; one character is one byte.
 */
function relaxedBody(body: string): string {
  const lines = singleSpaced(body).replaceAll(' \r\n', '\r\n')
  let end = lines.endsWith(' ') ? lines.length - 1 : lines.length
  while (end >= 2 && lines.startsWith('\r\n', end - 2)) end -= 2
  return end === 0 ? '' : `${lines.slice(0, end)}\r\n`
}

/** Parts of a message for its signature. */
interface SignedParts {
  /** Names for the `h=` tag. */
  names: string[]
  /** Fields in relaxed form, in the order of the names. */
  fields: string[]
  /** Body in relaxed form. */
  body: string
}

/**
 * Splits a message for signing (RFC 6376 section 5.4): of fields with the same name, the last comes first.
 */
export function signedParts(mail: string): SignedParts {
  const headerEnd = mail.indexOf('\r\n\r\n')
  const header = headerEnd < 0 ? mail.replace(/\r\n$/, '') : mail.slice(0, headerEnd)
  const all = header.split(/\r\n(?![ \t])/)
  const of = (name: string) => all.filter((field) => fieldName(field) === name).reverse()
  const sealed = sealedFields.map((name) => ({ name, fields: of(name), extra: 1 }))
  const others = otherFields.map((name) => ({ name, fields: of(name), extra: 0 }))
  const signed = [...sealed, ...others]
  return {
    names: signed.flatMap(({ name, fields, extra }) => Array(fields.length + extra).fill(name)),
    fields: signed.flatMap(({ fields }) => fields.map(relaxedField)),
    body: relaxedBody(headerEnd < 0 ? '' : mail.slice(headerEnd + 4)),
  }
}

/** Folds names with colons between them over lines of at most 76 characters. */
function foldedNames(names: readonly string[]): string {
  const lines = ['']
  for (const name of names) {
    const last = lines.length - 1
    if (lines[last]!.length + name.length <= 70) lines[last] += `${name}:`
    else lines.push(`${name}:`)
  }
  return lines.join('\r\n ').slice(0, -1)
}

/** Tags of a signature (RFC 6376 section 3.5). */
export interface SignatureTags {
  domain: string
  selector: string
  /** Seconds since 1970. */
  signedAt: number
  names: readonly string[]
  bodyHash: string
}

/** Writes the `DKIM-Signature` field up to the signature itself. */
export function unsignedField({ domain, selector, signedAt, names, bodyHash }: SignatureTags): string {
  return [
    'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;',
    ` d=${domain}; s=${selector}; t=${signedAt};`,
    ` h=${foldedNames(names)};`,
    ` bh=${bodyHash};`,
    ' b=',
  ].join('\r\n')
}

/** Folds a base64 signature for the field. */
export const foldedSignature = (signature: string): string =>
  (signature.match(/.{1,72}/g) ?? []).join('\r\n ')
