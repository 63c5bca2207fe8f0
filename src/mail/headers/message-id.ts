import { withoutEnd } from '../text/safe-text'

const maxIdLength = 900
const maxReplyReferences = 30
const maxStoredReferences = 100

/** Ids as nearly all programs write them, separated by white space: these need no further checks. */
const plainPattern = /^<[!-;=?A-~]+@[!-;=?A-~]+>(?:\s+<[!-;=?A-~]+@[!-;=?A-~]+>)*$/

/** Returns the ids of a value that has nothing else; null for other values. */
const plainIds = (value: string): string[] | null =>
  plainPattern.test(value) ? value.split(/\s+/).filter((id) => id.length <= maxIdLength) : null

/**
 * Extracts the message ids of a Message-ID, In-Reply-To or References value (RFC 5322 §3.6.4) in one pass:
 * with brackets, in order, without repetitions. In a value without any brackets, words with an `@` count.
 */
export function extractMessageIds(value: string): string[] {
  const ids = plainIds(value) ?? (value.includes('<') ? bracketedIds(value) : bareIds(value))
  return [...new Set(ids)]
}

/**
 * Reads the Message-ID of a message, with brackets. A single word with one bracket or none counts as well:
 * old programs write it so.
 */
export function ownMessageId(value: string): string | null {
  const [first] = extractMessageIds(value)
  return first ?? toId(loneWord(value))[0] ?? null
}

/**
 * Returns the only word of a value, without comments and brackets; empty for several words or a short one.
 */
function loneWord(value: string): string {
  const word = withoutEnd(value.replace(/\([^()]{0,200}\)/g, '').replace(/^[\s<]+/, ''), /[\s>]/)
  return /^[^\s"<>(),;:]{6,}$/.test(word) ? word : ''
}

/** The message that has the References or In-Reply-To field. */
interface Referring {
  /** Its raw Message-ID field: a program that writes odd ids refers to odd ids as well. */
  own: string
  /** Returns whether it is from or to an address (lower case): none of these is an id. */
  isAddressee(address: string): boolean
}

/**
 * Reads the ids in References or In-Reply-To, with brackets: at most 100, the first (it names the thread) and
 * the last 99. Only `<left@right>` in its place is an id, not the address in "message from NAME <address> of
 * DATE". An id without `@` or brackets counts in three cases:
 *
 * - The Message-ID of the message itself has that form.
 * - Only a program can have made it up.
 * - It is the only word and is nobody's address.
 */
export function referredIds(value: string, mail: Referring): string[] {
  if (value === '') return []
  const plain = plainIds(value)?.filter((id) => !mail.isAddressee(id.slice(1, -1).toLowerCase()))
  const ids = plain ?? (hasBrackets.test(value) ? referredInBrackets(value, mail) : referredBare(value, mail))
  return firstAndLast([...new Set(ids)], maxStoredReferences)
}

/**
 * Returns the References of a reply (RFC 5322 §3.6.4): those of the parent and its own id. At most 30: the
 * first and the last 29.
 */
export function referencesForReply(parent: {
  rfc822MessageId: string | null
  references: string[]
}): string[] {
  const own = parent.rfc822MessageId ? extractMessageIds(parent.rfc822MessageId) : []
  const earlier = parent.references.flatMap(extractMessageIds).filter((id) => !own.includes(id))
  return firstAndLast([...new Set([...earlier, ...own])], maxReplyReferences)
}

/**
 * Makes a Message-ID from the caller's random part and a domain (RFC 5322 §3.6.4).
 *
 * @throws TypeError if a part has characters that an id may not have.
 */
export function makeMessageId(random: string, domain: string): string {
  if (!/^[\w.-]+$/.test(random) || !/^[\w.-]+$/.test(domain)) {
    throw new TypeError('A message id takes letters, digits, dots and hyphens on both sides of the @.')
  }
  return `<${random}@${domain}>`
}

function bracketedIds(value: string): string[] {
  const ids: string[] = []
  let start = -1
  for (let at = 0; at < value.length; at++) {
    const character = value[at]
    if (character === '<') start = at + 1
    else if (character === '>' && start >= 0) {
      ids.push(value.slice(start, at))
      start = -1
    }
  }
  return ids.flatMap(toId)
}

/** Words before an address that name the author of a message. */
const whose = /(?:^|[\s"'(])(?:from|by|von|de|da|från|fra|van|to)\s[^<>\d]{0,200}$/i
/** Words after an address that give a date or introduce its words. */
const ofDate = /^\s{0,5}(?:['’]s\s|of\s|dated\s|wrote|writes|said|schrieb|a écrit|escribió|ha scritto)/i
const maxProse = 300

function referredInBrackets(value: string, mail: Referring): string[] {
  const isOwnBare = !leftRight.test(mail.own)
  const words = value.replace(/<[^<>]*>/g, ' ').replace(/\([^()]*\)/g, ' ')
  const hasProse = /[\p{L}\d]/u.test(words)
  return [...bracketed(value)].flatMap(({ inner, before, after }, at) => {
    const word = inner.replace(/\s+/g, '')
    if (mail.isAddressee(word.toLowerCase())) return []
    if (!leftRight.test(word)) return isOwnBare || looksMade(word) ? toId(inner) : []
    const isNamed = ofDate.test(after) || whose.test(before) || isInComment(before)
    // Among words, the first id or one after a date is the answered message; others may be anybody's address.
    const isInPlace =
      !hasProse || looksMade(word) || /\d/.test(before) || (at === 0 && !/\p{L}/u.test(before))
    return isNamed || !isInPlace ? [] : toId(inner)
  })
}

function* bracketed(value: string): Generator<{ inner: string; before: string; after: string }> {
  let end = 0
  for (let start = value.indexOf('<'); start !== -1; ) {
    const close = value.indexOf('>', start)
    if (close === -1) return
    const open = value.lastIndexOf('<', close)
    const before = value.slice(Math.max(end, open - maxProse), open)
    yield { inner: value.slice(open + 1, close), before, after: value.slice(close + 1, close + 40) }
    end = close + 1
    start = value.indexOf('<', end)
  }
}

/** Both brackets of an id. */
const hasBrackets = /<[^<>]*>/
/** A local part that a person would choose: letters, and maybe a few digits at the end. */
const chosen = /^[\p{L}._+'-]+\d{0,4}$/u

/** Returns whether the only word is an id: it has a digit, and is not an address that a person chose. */
function isLoneId(word: string, { isAddressee }: Referring): boolean {
  const at = word.lastIndexOf('@')
  if (at === -1) return /\d/.test(word)
  return leftRight.test(word) && !chosen.test(word.slice(0, at)) && !isAddressee(word.toLowerCase())
}

function referredBare(value: string, mail: Referring): string[] {
  const lone = loneWord(value)
  if (lone !== '' && isLoneId(lone, mail)) return toId(lone)
  const isOwnBare = !mail.own.includes('<')
  const words = value.split(/[\s,;"]+/).filter(Boolean)
  const isId = (word: string) =>
    leftRight.test(word) &&
    !mail.isAddressee(word.toLowerCase()) &&
    (looksMade(word) || (isOwnBare && mail.own !== ''))
  // Among words, an address is an address.
  return words.every(isId) ? words.flatMap(toId) : []
}

const isInComment = (before: string) => before.lastIndexOf('(') > before.lastIndexOf(')')

const leftRight = /[^\s<>@]@[^\s<>@]/

/** Returns whether only a program makes up such an id: no address or word of a person looks like it. */
function looksMade(id: string): boolean {
  const left = id.replace(/@[^@]*$/, '')
  return left.length >= 24 || (left.length >= 6 && left.replace(/\D/g, '').length >= 5)
}

function bareIds(value: string): string[] {
  return value
    .split(/[\s,;"]+/)
    .filter((word) => word.includes('@'))
    .flatMap(toId)
}

// Programs that fold at a fixed width break ids in two, so white space within the brackets is dropped.
function toId(inner: string): string[] {
  if (inner.length > maxIdLength) return []
  const id = inner.replace(/\s+/g, '')
  return /^[^\p{C}<>]+$/u.test(id) ? [`<${id}>`] : []
}

function firstAndLast(ids: string[], count: number): string[] {
  if (ids.length <= count) return ids
  return [...ids.slice(0, 1), ...ids.slice(1 - count)]
}
