import { domainPattern } from '../../protocol/names/domain-pattern'
import { singleLine, withoutEnd } from '../text/safe-text'

/** One mailbox of an address header (RFC 5322 §3.4). Groups are flattened to their members. */
export interface MailAddress {
  /** Trimmed; the domain is in lower case, the local part as written. */
  address: string
  /** Display name, decoded; null for none. */
  name: string | null
}

const atom = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]+$/u
const domainName = new RegExp(`^(?=.{1,253}$)${domainPattern}`, 'u')

const quoted = /^"(?:[^"\\]|\\.)*"$/s
const isAtom = (local: string): boolean => atom.test(local)

/**
 * Returns an address in the form of RFC 5322 section 3.4.1. Quotes the local part only if its characters
 * require it, such as a second `@`. So every reader takes the text after the first `@` outside quotes as its
 * domain.
 */
export function addrSpec(address: string): string {
  const clean = withoutWrapping(normalizeAddress(address).replace(/^@[^:"]{0,1000}:/, ''))
  const at = clean.lastIndexOf('@')
  if (at < 1) return clean
  const written = clean.slice(0, at)
  const local = quoted.test(written) ? written.slice(1, -1).replace(/\\(.)/gs, '$1') : written.trim()
  return (isAtom(local) ? local : `"${local.replace(/[\\"]/g, '\\$&')}"`) + clean.slice(at)
}

/** Removes signs around a whole address; at least the dot of an absolute domain. */
function withoutWrapping(address: string): string {
  if (isAddress(address)) return address
  const bare = unwrapped(address)
  return isAddress(bare) ? bare : address.replace(/(?<=[^.])\.$/, '')
}

const maxSignsBefore = 3
/** Signs that no domain ends with. */
const ending = /[\p{P}\p{S}\s\u200b-\u200d\u2060\ufeff]/u
/** Signs that precede an address only together with a closing one. */
const pairs: Readonly<Record<string, string>> = {
  ...{ '"': '"', "'": "'", '`': "`'", '*': '*', _: '_', '“': '”', '”': '”', '„': '“”', '‘': '’', '’': '’' },
  ...{ '«': '»', '‹': '›', '[': ']', '(': ')', '{': '}', '<': '>' },
}

/** Removes a scheme, such as `mailto:`, and signs around an address. */
function unwrapped(address: string): string {
  const bare = address.replace(/^(?:mailto|smtp|e-?mail):/i, '')
  const query = /^mailto:/i.test(address) ? bare.indexOf('?') : -1
  const whole = query === -1 ? bare : bare.slice(0, query)
  const core = withoutEnd(whole, ending)
  const behind = whole.slice(core.length)
  const isOpening = (sign: string) => [...(pairs[sign] ?? '')].some((closing) => behind.includes(closing))
  let start = 0
  while (start < maxSignsBefore && isOpening(core[start] ?? '')) start++
  return core.slice(start)
}

/**
 * Returns whether the local part of an address is quoted: honest addresses rarely need quotes, and forged
 * ones hide behind them.
 */
export const isOddAddress = (address: string): boolean => address.startsWith('"')

/** Trims, removes control characters and lower-cases the domain; keeps the local part as written. */
export function normalizeAddress(address: string): string {
  const clean = singleLine(address)
  const at = clean.lastIndexOf('@')
  return at < 0 ? clean : clean.slice(0, at + 1) + clean.slice(at + 1).toLowerCase()
}

/** Splits at the last `@`; null if a half is missing. */
export function splitAddress(address: string): { local: string; domain: string } | null {
  const clean = normalizeAddress(address)
  const at = clean.lastIndexOf('@')
  if (at < 1 || at === clean.length - 1) return null
  return { local: clean.slice(0, at), domain: clean.slice(at + 1) }
}

/**
 * Returns whether two addresses reach the same mailbox. Ignores the case of local parts: RFC 5321 §2.4 allows
 * hosts to distinguish it, but none in use does.
 */
export function sameAddress(one: string, other: string): boolean {
  return normalizeAddress(one).toLowerCase() === normalizeAddress(other).toLowerCase()
}

/**
 * Returns whether the name of a recipient reads as another address, in any look-alike letters. A person who
 * checks the recipient would approve the wrong one, and a list without commas would lose a recipient.
 */
export const looksElsewhere = ({ name, address }: MailAddress): boolean =>
  name !== null && /[@\ufe6b\uff20]/.test(name) && !sameAddress(addrSpec(name), address)

/** Removes the detail of plus addressing (RFC 5233): `agent+x@example.com` becomes `agent@example.com`. */
export function baseAddress(address: string): string {
  const parts = splitAddress(address)
  if (!parts) return normalizeAddress(address)
  const plus = isOddAddress(parts.local) ? -1 : parts.local.indexOf('+')
  return `${plus > 0 ? parts.local.slice(0, plus) : parts.local}@${parts.domain}`
}

/**
 * Returns whether a text is one plain address that can go into a header or an SMTP command unchanged: a
 * dot-atom (RFC 5321 §4.1.2), UTF-8 (RFC 6531). Refuses local parts that need quotes, though SMTP allows them
 * (`addrSpec` removes needless quotes). Programs read `"ana@a.example "@b.example` in different ways, so a
 * message may reach somebody else. Servers rarely issue such addresses.
 */
export function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  return local.length <= 64 && isAtom(local) && domainName.test(text.slice(at + 1))
}

/**
 * Returns one key for all spellings of an address that reach the same mailbox: ASCII letters in lower case,
 * the domain in its ASCII form. Look-alikes stay distinct: a Cyrillic letter is another one. Null for an
 * address that {@link isAddress} refuses.
 *
 * @example
 * ```ts
 * addressKey('Ana@Bücher.example') // 'ana@xn--bcher-kva.example'
 * ```
 */
export function addressKey(text: string): string | null {
  if (!isAddress(text)) return null
  const at = text.lastIndexOf('@')
  // Several Unicode characters have k as their lower case: only A to Z are folded.
  const local = text.slice(0, at).replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  return `${local}@${asciiDomain(text.slice(at + 1))}`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what is not ASCII
const beyondAscii = /[^\x00-\x7f]/

/** Returns whether the local part needs SMTPUTF8 (RFC 6531); a domain has an ASCII form. */
export const hasUtf8Local = (address: string): boolean =>
  beyondAscii.test(address.slice(0, Math.max(0, address.lastIndexOf('@'))))

/** Characters of an internationalized domain: at any other ASCII sign, a URL would end its host. */
const hostText = /^[\w.\u0080-\uffff-]*$/
/** More characters than any domain has in Unicode; the conversion takes the square of their number. */
const maxDomainLength = 1_000

/**
 * Returns the domain in its ASCII form (IDNA), for headers and DNS; lower-cases ASCII domains. A text that is
 * no domain stays unchanged.
 */
export function asciiDomain(domain: string): string {
  if (!beyondAscii.test(domain)) return domain.toLowerCase()
  if (domain.length > maxDomainLength || !hostText.test(domain)) return domain
  return URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : domain
}

const domainText = /^(?=.{1,253}$)[a-z\d_-]+(?:\.[a-z\d_-]+)*$/

/**
 * Returns the domain of an address in the form that proofs compare: A-labels, lower case, no final dot. Null
 * if it has none that DNS could know.
 */
export function senderDomain(address: string): string | null {
  const domain = asciiDomain(splitAddress(address)?.domain ?? '').replace(/\.$/, '')
  return domainText.test(domain) ? domain : null
}

/**
 * Formats `Name <a@b>` for a reader or for a header of ASCII and UTF-8 (RFC 6532). Quotes the name if needed;
 * it cannot end the field.
 */
export function formatAddress({ address, name }: MailAddress): string {
  const clean = isOddAddress(address) ? singleLine(address) : singleLine(address).replace(/[<>\s]/g, '')
  const label = singleLine(name ?? '')
  if (!label) return clean
  if (/^[\p{L}\p{M}\p{N} !#$%&'*+/=?^_`{|}~-]+$/u.test(label)) return `${label} <${clean}>`
  return `"${label.replace(/[\\"]/g, '\\$&')}" <${clean}>`
}
