import { singleLine } from '../text/safe-text'
import { addrSpec, isAddress, type MailAddress, sameAddress } from './address'
import { decodeHeader, headerValues, type MailHeader } from './header-reader'
import { mailboxesOf, type WrittenMailbox } from './mailbox-list'

/** Most addresses that `parseAddressList` reads from one header: a stranger may write 100,000. */
export const maxAddresses = 1000
/** Less than the limit of a field, so that a cut field loses its last, incomplete address. */
const maxListLength = 100 * 1024 - 2
const maxPlainLength = 200
/**
 * Parses the mailboxes of an address header (RFC 5322 §3.4): decodes names (RFC 2047), flattens groups and
 * skips entries without an address. Reads at most 100 Ki characters and returns at most 1,000. Never throws.
 */
export const parseAddressList = (value: string): MailAddress[] => readMailboxes(value).found

/**
 * Parses a list of recipients as {@link parseAddressList}. Returns null if an entry has no address: skipping
 * it would lose a recipient.
 */
export function readAddressList(value: string): MailAddress[] | null {
  const { found, isWhole } = readMailboxes(value)
  return isWhole && found.length > 0 ? found : null
}

/** Result of parsing an address list. */
export interface ReadMailboxes {
  found: MailAddress[]
  /** False if something was skipped. */
  isWhole: boolean
  /** False if an address cannot be written to, or was skipped. */
  isUsable: boolean
  /** True if signs around an address were removed. */
  isMended: boolean
}

/** Parses an address list as {@link parseAddressList}, and reports how well-formed it is. */
export function readMailboxes(value: string): ReadMailboxes {
  const well = { isWhole: true, isUsable: true, isMended: false }
  if (value === '') return { found: [], ...well }
  const plain = plainMailbox(value)
  if (plain) return { found: [plain], ...well, isUsable: isAddress(plain.address) }
  const found: MailAddress[] = []
  let isUsable = true
  let isMended = value.includes('&') && value.search(entities) !== -1
  let isWhole = value.length <= maxListLength
  let before: string[] = []
  for (const { address, name } of mailboxesIn(bounded(value))) {
    if (found.length === maxAddresses) return { found, isWhole: false, isUsable, isMended }
    if (address.includes('@')) {
      // An unquoted name with a comma comes in pieces: "Lee, Ann <ann@example.com>".
      const pieces = name === '' ? [] : before.slice(-maxPieces)
      const whole = name === '' ? '' : [...pieces, name].join(', ')
      const read = addrSpec(address)
      const isRead = isAddress(read)
      isUsable &&= isRead
      isMended ||= isRead && !sameAddress(read, address) && !/^\s*"[^"@]*"@/.test(address)
      found.push({ address: read, name: singleLine(whole) || null })
      isWhole &&= pieces.length === before.length
      before = []
    } else if (name !== '' && !/[@<>:]/.test(name)) before.push(name)
    else {
      isWhole = false
      isUsable &&= !name.includes('@')
      before = []
    }
  }
  return { found, isWhole: isWhole && before.length === 0, isUsable, isMended }
}

/** Parses the first mailbox of an address header or of a person's input; null for none. */
export function parseAddress(value: string): MailAddress | null {
  return parseAddressList(value)[0] ?? null
}

/**
 * Returns the sender of a message with one From field of one address (RFC 5322 section 3.6.2). Null for any
 * other message, since programs disagree about its sender.
 */
export function oneSender(fields: readonly MailHeader[]): MailAddress | null {
  const [from, ...otherFields] = headerValues(fields, 'from')
  if (from === undefined || otherFields.length > 0) return null
  const [sender, ...others] = parseAddressList(from)
  return sender && others.length === 0 ? sender : null
}

/** A mailbox in the usual form: without a name, or with one of ASCII words. */
const plainPattern =
  /^\s*(?:[\w.+=-]+@[\w.-]*[\w-]|(?:"([\w .,'-]*)"|([\w][\w .'-]*?)|)\s*<([\w.+=-]+@[\w.-]*[\w-])>)\s*$/

/** Parses an address list of one such mailbox; null for any other. */
function plainMailbox(value: string): MailAddress | null {
  const match = value.length > maxPlainLength ? null : plainPattern.exec(value)
  if (!match) return null
  const address = match[3] ?? value.trim()
  const at = address.indexOf('@') + 1
  return {
    address: address.slice(0, at) + address.slice(at).toLowerCase(),
    name: (match[1] ?? match[2])?.trim() || null,
  }
}

/** Pieces between commas that may form one name. */
const maxPieces = 3
/** An encoded word, even with signs that separate addresses (RFC 2047 section 5 forbids them). */
const wordPattern = /=\?[^?\s]{1,60}\?[bq]\?[^?<>@"]{0,900}\?=(?:[ \t]{1,9}(?==\?))?/gi
/** A placeholder for encoded words, by their number; no real text has these characters. */
const mark = /\ue0f1(\d{1,6})\ue0f2/g
/** Brackets of an address, escaped as on a web page. */
const entities = /&lt;([^&<>\s]{1,320}@[^&<>\s]{1,255})&gt;/gi

function mailboxesIn(value: string): WrittenMailbox[] {
  const words: string[] = []
  const hide = (word: string) => `\ue0f1${words.push(word) - 1}\ue0f2`
  const hidden = value.includes('=?')
    ? value.replace(/[\ue0f1\ue0f2]/g, '').replace(wordPattern, hide)
    : value
  const written = hidden.includes('&') ? hidden.replace(entities, '<$1>') : hidden
  const shown = (text: string) => text.replace(mark, (_, at: string) => words[Number(at)] ?? '')
  return parsed(written).flatMap(({ address, name }) => {
    if (words.length === 0) return [{ address, name }]
    const decoded = decodeHeader(shown(name))
    return address === '' ? whole(decoded, shown(name)) : [{ address: shown(address), name: decoded }]
  })
}

/**
 * Parses an encoded whole mailbox, as some programs write it. UTF-7 gives no address; as text it is harmless.
 */
function whole(decoded: string, written: string): WrittenMailbox[] {
  const isMailbox = /<[^<>\s@]+@[^<>\s@]+>/.test(decoded) && !/=\?[^?]{0,20}utf-?7/i.test(written)
  return isMailbox ? parsed(decoded.replace(/=\?/g, '')) : [{ address: '', name: decoded }]
}

const parsed = (value: string): WrittenMailbox[] => mailboxesOf(isObsolete(value) ? plainly(value) : value)

const isObsolete = (value: string) => value.includes('(') || /\s@|@\s/.test(value)

/**
 * Removes the obsolete forms of an address list (RFC 5322 §4.4): comments within an address or nested ones,
 * and white space around the `@`. Keeps other comments: some programs write names this way. Linear time.
 */
function plainly(value: string): string {
  const pieces: string[] = []
  let last = ''
  let comment: string | null = null
  let depth = 0
  let isQuoted = false
  let isRoute = false
  for (let at = 0; at < value.length; at++) {
    const character = value[at]!
    if (character === '\\') {
      const next = value[++at] ?? ''
      if (comment === null) {
        pieces.push(character, next)
        last = next
      } else if (!/[()"\\]/.test(next)) comment += next
    } else if (comment !== null) {
      if (character === '(') depth++
      else if (character !== ')') comment += character === '"' ? '' : character
      else if (--depth === 0) {
        const isWithin = isRoute || last === '@' || /^\s{0,20}@/.test(value.slice(at + 1, at + 22))
        if (!isWithin) pieces.push(`(${comment})`)
        comment = null
      }
    } else if (character === '(' && !isQuoted) {
      comment = ''
      depth = 1
    } else if (!isQuoted && /\s/.test(character) && (last === '@' || isRoute || nextIsAt(value, at))) {
      // White space here is not part of the address.
    } else {
      if (character === '"') isQuoted = !isQuoted
      else if (!isQuoted && (character === '<' || character === '>')) isRoute = character === '<'
      pieces.push(character)
      last = character
    }
  }
  // A comment that never ends is text.
  return pieces.join('') + (comment === null ? '' : `(${comment}`)
}

const nextIsAt = (value: string, at: number) => /^\s{1,20}@/.test(value.slice(at, at + 22))

// Cut between two addresses, so that the last one is complete.
function bounded(value: string): string {
  if (value.length <= maxListLength) return value
  const start = value.slice(0, maxListLength)
  return start.slice(0, Math.max(start.lastIndexOf(','), 0))
}
