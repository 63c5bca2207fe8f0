import { addressParser } from 'postal-mime'
import type { MailAddress } from './parsed-mail'
import { singleLine } from './safe-text'

/** What `parseAddressList` takes of one header: a stranger may write 100,000 addresses. */
export const MAX_ADDRESSES = 1000
const MAX_LIST_LENGTH = 128 * 1024
const ATOM = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]+$/u
const DOMAIN =
  /^(?=.{1,253}$)(?:[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_-]{0,61}[\p{L}\p{M}\p{N}_])?\.)*[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_-]{0,61}[\p{L}\p{M}\p{N}_])?$/u

/**
 * Reads the mailboxes of an address header (RFC 5322 §3.4), names decoded (RFC 2047), groups flattened, entries
 * without an address left out. Reads at most 128 Ki characters and gives at most 1,000. Never throws.
 */
export function parseAddressList(value: string): MailAddress[] {
  const found: MailAddress[] = []
  for (const { address, name } of mailboxesIn(bounded(value))) {
    if (found.length === MAX_ADDRESSES) break
    if (address?.includes('@'))
      found.push({ address: normalizeAddress(address), name: singleLine(name) || null })
  }
  return found
}

/** The first mailbox of an address header or of what a person typed; null when there is none. */
export function parseAddress(value: string): MailAddress | null {
  return parseAddressList(value)[0] ?? null
}

/** Trims, removes control characters and puts the domain in lower case; the local part stays as written. */
export function normalizeAddress(address: string): string {
  const clean = singleLine(address)
  const at = clean.lastIndexOf('@')
  return at < 0 ? clean : clean.slice(0, at + 1) + clean.slice(at + 1).toLowerCase()
}

/** Splits at the last `@`; null when a half is missing. */
export function splitAddress(address: string): { local: string; domain: string } | null {
  const clean = normalizeAddress(address)
  const at = clean.lastIndexOf('@')
  if (at < 1 || at === clean.length - 1) return null
  return { local: clean.slice(0, at), domain: clean.slice(at + 1) }
}

/**
 * Whether two addresses reach the same mailbox. Local parts are compared without case: RFC 5321 §2.4 allows hosts
 * to distinguish them, none that people use does.
 */
export function sameAddress(one: string, other: string): boolean {
  return normalizeAddress(one).toLowerCase() === normalizeAddress(other).toLowerCase()
}

/** Removes the detail of plus addressing (RFC 5233): `agent+x@example.com` becomes `agent@example.com`. */
export function baseAddress(address: string): string {
  const parts = splitAddress(address)
  if (!parts) return normalizeAddress(address)
  const plus = parts.local.indexOf('+')
  return `${plus > 0 ? parts.local.slice(0, plus) : parts.local}@${parts.domain}`
}

/**
 * Whether a text is one plain address (dot-atom of RFC 5321 §4.1.2, UTF-8 as of RFC 6531, no quoted local parts)
 * that may go into a header or an SMTP command as it is.
 */
export function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  return local.length <= 64 && ATOM.test(local) && DOMAIN.test(text.slice(at + 1))
}

/** The domain in its ASCII form (IDNA), for headers and DNS; ASCII domains only in lower case. */
export function asciiDomain(domain: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII
  if (/^[\x00-\x7f]*$/.test(domain)) return domain.toLowerCase()
  return URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : domain
}

/**
 * Writes `Name <a@b>` for a person to read, or for a header of ASCII and UTF-8 (RFC 6532). The name is quoted
 * where needed and cannot end the field.
 */
export function formatAddress({ address, name }: MailAddress): string {
  const clean = singleLine(address).replace(/[<>\s]/g, '')
  const label = singleLine(name ?? '')
  if (!label) return clean
  if (/^[\p{L}\p{M}\p{N} !#$%&'*+/=?^_`{|}~-]+$/u.test(label)) return `${label} <${clean}>`
  return `"${label.replace(/[\\"]/g, '\\$&')}" <${clean}>`
}

/** What programs write for a mailbox without a name. */
const PLAIN = /^\s*(<?)([\w.+=-]+@[\w.-]+)(>?)\s*$/

function mailboxesIn(value: string) {
  const plain = PLAIN.exec(value)
  if (plain && Boolean(plain[1]) === Boolean(plain[3])) return [{ name: '', address: plain[2]! }]
  try {
    return addressParser(value, { flatten: true })
  } catch {
    return []
  }
}

// Cut between two addresses, so that the last one is not a torn one.
function bounded(value: string): string {
  if (value.length <= MAX_LIST_LENGTH) return value
  const start = value.slice(0, MAX_LIST_LENGTH)
  return start.slice(0, Math.max(start.lastIndexOf(','), 0))
}
