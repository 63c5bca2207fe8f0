import { endOfBanner } from './banner'
import { endOfFence } from './fence'
import { MarkedLines, mark } from './marked-lines'
import {
  attributionLength,
  introductionLength,
  isCaption,
  isForwardedMessage,
  isGreeting,
  isHeaderBlock,
  isLabelled,
  isNotesBlock,
  isNotesHead,
  isOfProgram,
  isOriginalMessage,
  isQuoted,
  isQuotedHead,
  isReplyMarker,
  isRuleAt,
  isRunTogether,
  saysYouWrote,
} from './quote-lines'
import { startOfSignature } from './signature'

const maxHeadLines = 5
const maxHead = 600

/**
 * A split message body. The two parts lack nothing of `text` but quotes, empty lines and headings of
 * programs.
 */
interface SplitReply {
  /** The words that the person wrote now. */
  reply: string
  /** The signature below it; empty for none. */
  signature: string
}

/** Options of `splitReply`. */
export interface ReplyOptions {
  /** True for a forward (`Fwd:`): its header blocks introduce text to read, not known text. */
  isForward?: boolean
  /**
   * True if the message is no reply: its quotes are new to the reader, such as a supplier's words or a log.
   */
  isFirst?: boolean
  /** Name and address of the author: a line such as `-Ann` is the signature of nobody else. */
  author?: { name: string | null; address: string } | null
}

/** Consecutive quoted lines with their introduction: `[start, end)`. */
interface Quote {
  start: number
  end: number
  isIntroduced: boolean
}

/**
 * Returns the new words of a message: without the answered message ("On … wrote:" in many languages,
 * Outlook's header blocks, `>` lines) and without the signature. Keeps answers between quoted lines together
 * with the quotes, and keeps text in doubt. If nothing remained, returns the whole text. Works line by line
 * in linear time.
 */
export function extractReplyText(text: string, options: ReplyOptions = {}): string {
  return splitReply(text, options).reply
}

/** As `extractReplyText`, but returns the signature separately. */
export function splitReply(text: string, options: ReplyOptions = {}): SplitReply {
  const lines = MarkedLines.of(text)
  const isPassedOn = options.isForward || startsForwarded(lines)
  // The text below a rule is the forwarded message there, not a signature.
  if (isPassedOn && holdsForwarded(lines)) return { reply: joined(lines.texts), signature: '' }
  const own = isPassedOn ? lines.texts : withoutBanner(withoutQuotes(lines, options.isFirst === true))
  const end = startOfSignature(own, options.author)
  const reply = joined(isPassedOn ? own.slice(0, end) : withoutTrackerHead(own.slice(0, end), own.slice(end)))
  if (reply) return { reply, signature: joined(own.slice(end)) }
  return { reply: joined(own) || joined(lines.texts), signature: '' }
}

function joined(lines: readonly string[]): string {
  let start = 0
  while (start < lines.length && !lines[start]?.trim()) start++
  return lines.slice(start).join('\n').trimEnd()
}

const withoutBanner = (lines: readonly string[]): readonly string[] => lines.slice(endOfBanner(lines))

/** "ann left a comment (acme/tool#12)", as trackers write above a person's comment. */
const trackerHead =
  /^@?[\w.[\]-]{1,60} (?:left a comment|(?:commented on|approved|closed|reopened|opened|requested changes on|pushed \d+ commits? to) this (?:pull request|issue|discussion|commit))(?: \([\w./-]{1,120}#\d{1,9}\))?\.?(?: ?<https?:[^\s>]{1,300}>)?\.?\s*$/
/** "Ann Lee commented:" of trackers that identify themselves below. */
const commentHead =
  /^[*_]{0,2}@?[\p{L}\d][\p{L}\d .'’()@_-]{0,80}[*_]{0,2} (?:commented|replied|added a comment|left a comment|wrote|started a (?:new )?(?:discussion|thread))(?: (?:on|to|in) [^\s].{0,200}?)?[:：](?:\s?<?https?:\S{1,300})?\s*$/u
const ofTracker =
  /reply to this e-?mail directly|view (?:it|this [\p{L} ]{2,30}|comment|issue|request|topic|ticket)? ?(?:on|in) |receiving this (?:e-?mail|message|notification)?|\bunsubscribe\b|sent by atlassian|message was sent by/iu

function withoutTrackerHead(lines: readonly string[], below: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== '')
  if (first === -1) return lines
  const head = lines[first]!.slice(0, maxHead)
  const isHead =
    trackerHead.test(head) ||
    (commentHead.test(head) && below.some((line) => ofTracker.test(line.slice(0, maxHead))))
  return isHead ? lines.slice(first + 1) : lines
}

// A forwarded message is meant to be read; one that was itself answered is not.
function startsForwarded(lines: MarkedLines): boolean {
  const first = firstWords(lines)
  if (!isQuoted(lines, first) && (isOriginalMessage(lines, first) || isHeaderBlock(lines, first))) return true
  for (let at = 0; at < lines.length; at++) {
    if (isForwardedMessage(lines, at)) return true
    if (isQuoted(lines, at) || isOriginalMessage(lines, at) || attributionLength(lines, at) > 0) return false
  }
  return false
}

/** Returns the first line that is no rule. */
function firstWords(lines: MarkedLines): number {
  let at = lines.nextWritten(0)
  while (at < lines.length && isRuleAt(lines, at)) at = lines.nextWritten(at + 1)
  return at
}

function holdsForwarded(lines: MarkedLines): boolean {
  for (let at = 0; at < lines.length; at++)
    if (isForwardedMessage(lines, at) || isOriginalMessage(lines, at) || isHeaderBlock(lines, at)) return true
  return false
}

function withoutQuotes(lines: MarkedLines, isFirst: boolean): readonly string[] {
  const kept = lines.until(startOfTail(lines))
  const found = findQuotes(kept)
  // A program that quotes names the author; quotes in a message that is no reply are meant to be read.
  const quotes = isFirst ? found.filter(({ start }) => attributionLength(kept, start) > 0) : found
  if (quotes.length === 0) return kept.texts
  const end = endOfOwnText(kept, quotes)
  const inner = quotes.filter((quote) => quote.start < end)
  const own =
    inner.length === 1 && inner[0] && isRemovable(inner[0]) ? cutOut(kept.texts, inner[0]) : kept.texts
  // The signature may follow the last quote.
  return own.slice(0, own.length - (kept.length - end)).concat(signatureAfter(kept, end))
}

/** Returns the first line of another message that fills the rest, quoted without marks. */
function startOfTail(lines: MarkedLines): number {
  let hasOwnText = false
  let isBelowGreeting = false
  for (let at = 0; at < lines.length; at++) {
    at = endOfFence(lines.texts, at)
    if (hasOwnText && isQuotedHead(lines, at)) return withoutRules(lines, at)
    if (lines.isBlank(at) || isQuoted(lines, at)) continue
    if (hasOwnText && startsTail(lines, at, isBelowGreeting)) return withoutRules(lines, at)
    if (isRuleAt(lines, at)) continue
    isBelowGreeting = !hasOwnText && isGreeting(lines, at)
    hasOwnText = true
  }
  return lines.length
}

function startsTail(lines: MarkedLines, at: number, isBelowGreeting: boolean): boolean {
  if (isOriginalMessage(lines, at) || isHeaderBlock(lines, at) || isRunTogether(lines, at)) return true
  if (isNotesBlock(lines, at)) return true
  if (isReplyMarker(lines, at)) return true
  const length = attributionLength(lines, at)
  const below = lines.nextWritten(at + length)
  // Marked lines count as a quote; marks that name something else are prompts in code that a person shows.
  if (length === 0 || isQuoted(lines, below) || isCited(lines, below)) return false
  return isPiped(lines, below) || isOfProgram(lines, at, length, isBelowGreeting)
}

/**
 * Returns whether all lines from one on start with `|`, as in some quotes; a table has one at the end as
 * well.
 */
function isPiped(lines: MarkedLines, start: number): boolean {
  let at = start
  while (at < lines.length && (lines.isBlank(at) || /^\|(?:\s|$)(?!.*\|\s*$)/.test(lines.text(at)))) at++
  return at === lines.length && start < at
}

const isCited = (lines: MarkedLines, at: number): boolean =>
  lines.has(at, mark.angle) && cited.test(lines.text(at))

// Some programs put a rule above their quote, with its recipients and subject.
function withoutRules(lines: MarkedLines, end: number): number {
  const at = beforeRules(lines, end)
  let head = at
  while (head > Math.max(0, at - maxHeadLines) && isLabelled(lines, head - 1)) head--
  return head < at && isRuleAt(lines, head - 1) ? beforeRules(lines, head) : at
}

function beforeRules(lines: MarkedLines, end: number): number {
  let at = end
  while (at > 0 && (lines.isBlank(at - 1) || isRuleAt(lines, at - 1) || isCaption(lines, at - 1))) at--
  return isNotesHead(lines, at - 1) ? at - 1 : at
}

function findQuotes(lines: MarkedLines): Quote[] {
  const quotes: Quote[] = []
  let at = 0
  while (at < lines.length) {
    const length = isQuoted(lines, at) ? 0 : attributionLength(lines, at) || introLength(lines, at)
    const first = length > 0 ? lines.nextWritten(at + length) : at
    if (!isMarked(lines, first, at)) {
      at++
      continue
    }
    const end = endOfQuote(lines, first, at)
    quotes.push({ start: at, end, isIntroduced: length > 0 })
    at = end
  }
  return quotes
}

const maxIntro = 4

/** Returns whether quoted lines follow soon. */
function isAboveQuote(lines: MarkedLines, at: number): boolean {
  for (let below = at + 1; below <= at + maxIntro; below++) if (isQuoted(lines, below)) return true
  return false
}

function introLength(lines: MarkedLines, at: number): number {
  if (lines.isBlank(at) || !isAboveQuote(lines, at)) return 0
  const length = introductionLength(lines, at)
  const below = lines.isBlank(at + length) ? at + length + 1 : at + length
  return isQuoted(lines, below) ? length : 0
}

/** "    Ann> Can you come?", below a line that names her, in the form of Supercite. */
const cited = /^\s{0,8}(\p{L}[\p{L}.-]{0,14})>{1,9}(?:\s|$)/u

/** "AL> Can you come?" of The Bat!, below an introduction that names Ann Lee, or a program's to "you". */
const minName = 4
const initials = /^\p{Lu}{1,3}$/u
const capitalsPattern = /(?<![\p{L}\p{M}\d])\p{Lu}/gu

/** Returns whether a line is quoted, with any mark. */
function isMarked(lines: MarkedLines, at: number, intro: number): boolean {
  if (!lines.has(at, mark.angle) || at <= intro) return isQuoted(lines, at)
  const by = isQuoted(lines, at) ? undefined : cited.exec(lines.text(at))?.[1]
  return by === undefined ? isQuoted(lines, at) : isBy(lines, by, intro)
}

// Prompts in code look alike: "SQL> commit".
function isBy(lines: MarkedLines, by: string, intro: number): boolean {
  const head = lines.text(intro)
  if (head.includes(by) || (by.length >= minName && head.toLowerCase().includes(by.toLowerCase())))
    return true
  if (!initials.test(by)) return false
  const length = attributionLength(lines, intro)
  if (saysYouWrote(lines, intro, length)) return lines.isBlank(intro + length)
  const words = lines.texts
    .slice(intro, intro + Math.max(1, length))
    .join(' ')
    .slice(0, maxHead)
  return beginWords(by, words)
}

/** Returns whether each of some letters starts a word of its own, in order. */
function beginWords(letters: string, words: string): boolean {
  const capitals: readonly string[] = words.match(capitalsPattern) ?? []
  let from = 0
  for (const letter of letters) {
    const at = capitals.indexOf(letter, from)
    if (at === -1) return false
    from = at + 1
  }
  return true
}

function endOfQuote(lines: MarkedLines, start: number, intro: number): number {
  let end = start
  for (let at = start; at < lines.length; at++) {
    if (isMarked(lines, at, intro) || isWrapped(lines, at)) end = at + 1
    else if (!lines.isBlank(at)) break
  }
  return end
}

const minWrapped = 60
const maxRest = 45
const maxLongRest = 100

// Programs that wrap their quotes leave the rest of a line without its mark.
function isWrapped(lines: MarkedLines, at: number): boolean {
  if (lines.isBlank(at) || !isQuoted(lines, at - 1)) return false
  const [above, rest] = [lines.text(at - 1).trimEnd(), lines.text(at)]
  // Below a short line it is an answer: "> Which day suits you", "tuesday".
  if (above.length < minWrapped || /[.?!:;…。？！]$/.test(above)) return false
  // A continued sentence starts with a small letter; a long answer with a capital.
  if (rest.length > maxRest) return rest.length <= maxLongRest && isContinued(lines, at)
  return isQuoted(lines, at + 1) || (/^\p{Ll}/u.test(rest) && lines.nextWritten(at + 1) === lines.length)
}

/** Returns whether a long line without a mark continues the quoted sentence above, and goes on in the quote below. */
function isContinued(lines: MarkedLines, at: number): boolean {
  if (!isQuoted(lines, at + 1)) return false
  const rest = lines.text(at).trimEnd()
  if (/^[\p{Ll}\d(]/u.test(rest)) return true
  // German nouns have capitals.
  const below = lines.text(at + 1).replace(/^[>\s]{1,20}/, '')
  return /\p{Ll}$/u.test(lines.text(at - 1).trimEnd()) && /[\p{L},]$/u.test(rest) && /^\p{Ll}/u.test(below)
}

// Quotes at the bottom are removed, with the signatures between and below them.
function endOfOwnText(lines: MarkedLines, quotes: readonly Quote[]): number {
  const first = quotes[0]
  const begins = first && hasOwnText(lines, 0, first.start)
  let end = lines.length
  for (let index = quotes.length - 1; index >= (begins ? 0 : 1); index--) {
    const quote = quotes[index]
    if (!quote || hasOwnText(lines, quote.end, end)) break
    end = quote.start
  }
  return end === lines.length ? end : withoutRules(lines, end)
}

function hasOwnText(lines: MarkedLines, start: number, end: number): boolean {
  const part = lines.texts.slice(start, end)
  const first = part.findIndex((line) => line.trim() !== '')
  return first !== -1 && first < startOfSignature(part)
}

function signatureAfter(lines: MarkedLines, end: number): string[] {
  const below = lines.texts.slice(end).filter((_, index) => !isQuoted(lines, end + index))
  return below.slice(startOfSignature(below))
}

// A line or two with `>` and no introduction may be the question that the text answers.
function isRemovable(quote: Quote): boolean {
  return quote.isIntroduced || quote.end - quote.start >= 3
}

function cutOut(lines: readonly string[], quote: Quote): string[] {
  const [above, below] = [lines.slice(0, quote.start), lines.slice(quote.end)]
  const isApart = above.length === 0 || !above.at(-1)!.trim()
  return [
    ...above,
    ...below.slice(
      isApart
        ? Math.max(
            0,
            below.findIndex((line) => line.trim()),
          )
        : 0,
    ),
  ]
}
