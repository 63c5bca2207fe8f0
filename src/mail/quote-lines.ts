import { FORWARDED_MESSAGE, LABELS, ON, ORIGINAL_MESSAGE, QUOTING, WROTE } from './quote-phrases'

const MAX_ATTRIBUTION_LINES = 4
const MAX_LINE_LENGTH = 500
const MAX_BLOCK_LINES = 12

const escaped = (words: readonly string[]) =>
  [...words]
    .sort((one, other) => other.length - one.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|')

// Every pattern below sees a bounded line only, never a whole text.
const VERB_LAST = new RegExp(
  `(?:^|[^\\p{L}])(?:${escaped(WROTE)}|[^\\s]{0,40}(?:のメール|写道|寫道|작성))\\s?[:：]?$`,
  'u',
)
// The last character tells of nearly every line, at hardly any cost, that it is not the end of an introduction.
const LAST_CODES = new Set(
  [...WROTE, 'のメール', '写道', '寫道', '작성', ...':：*_-\u200e\u200f\u202c\u2069'].flatMap((word) =>
    [word.toLowerCase(), word.toUpperCase()].map((written) => written.charCodeAt(written.length - 1)),
  ),
)
const SPACE = /\s/
const VERB_AND_NAME = new RegExp(`(?:^|[^\\p{L}])(?:${escaped(WROTE)})[^\\p{L}].{0,200}[:：]$`, 'u')
const QUOTES = new RegExp(`^(?:${escaped(QUOTING)})\\s.{0,200}[:：]$`, 'u')
const STARTS = new RegExp(`^(?:(?:${escaped(ON)})[\\s,]|\\d|[\\p{L}]{2,12}[.,]{1,2}\\s)`, 'u')
// In the digits of any script.
const HAS_TIME = /(?<!\p{Nd})\p{Nd}{1,2}(?:[:.h٫]|\s?h\s?)\p{Nd}{2}(?!\p{Nd})/u
const HAS_DAY =
  /\p{Nd}{1,4}[-/.]\s?\p{Nd}{1,2}[-/.]\s?\p{Nd}{1,4}|(?<!\d)(?:19|20|25)\d\d(?!\d)|(?<!\p{Nd})[٠-٩۰-۹०-९๐-๙]{4}(?!\p{Nd})|\d년|\d월|\d年|\d月/u
const HAS_ADDRESS = /[^\s@<]@[^\s@>]/
const HAS_MAILBOX = /[<([][^\s@<>]{1,100}@[^\s@<>]{1,100}[>)\]]/
// Their first line holds the date or the address; this spares all other lines the costly patterns.
const MAY_BEGIN = /[\d@٠-٩۰-۹०-९๐-๙]/
const BIDI = /[*_\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g
const DASHES = '-_=*~\u2010-\u2015\u2500'
const RULED = (words: readonly string[]) => new RegExp(`^[${DASHES}\\s]{2,60}\\s?(?:${escaped(words)})`, 'iu')
const ORIGINAL = RULED(ORIGINAL_MESSAGE)
const BARE_ORIGINAL = /^-{4,60}\s?original\s?-{4,60}$/i
const HAS_DASHES = new RegExp(`[${DASHES}]{2}`)
const FORWARDED = new RegExp(
  `^(?:[${DASHES}\\s]{2,60}\\s?(?:${escaped(FORWARDED_MESSAGE)})|(?:${escaped(FORWARDED_MESSAGE)})\\s?[:：]$)`,
  'iu',
)
const RULE = /^[\s>]*[-_=*─—][-_=*─—\s]*$/
const LABELLED = /^[\s*]{0,4}([\p{L}\p{M}][\p{L}\p{M}\s-]{0,24}?)\*{0,2}\s?[:：]\*{0,2}[\s\u200f]/u

type Kind = keyof typeof LABELS
const labelKinds = new Map<string, Kind>(
  (Object.keys(LABELS) as Kind[]).flatMap((kind) =>
    LABELS[kind].map((label): [string, Kind] => [label, kind]),
  ),
)

/** Whether a line is quoted with `>`. An mbox-escaped `>From ` at a line start is not, nor how GroupWise introduces. */
export function isQuoted(line: string): boolean {
  return /^ {0,3}>/.test(line) && !line.startsWith('>From ') && !isBetweenMarks(line)
}

const isBetweenMarks = (line: string) =>
  line.startsWith('>>> ') && /^>>> [^>].{3,200} >>>\s*$/.test(line) && hasDate(line)

/** Whether a line is a label of a header block with its value. */
export function isLabelled(line: string): boolean {
  return labelOf(line) !== undefined
}

/** Whether a line is only a rule of dashes or underscores. */
export function isRule(line: string): boolean {
  return line.length < MAX_LINE_LENGTH && /[-_=*─—]{3}/.test(line) && RULE.test(line)
}

/** "-----Original Message-----" and its translations: all below is quoted. */
export function isOriginalMessage(line: string): boolean {
  if (isBetweenMarks(line)) return true
  return (
    line.length < 120 && HAS_DASHES.test(line) && (ORIGINAL.test(line) || BARE_ORIGINAL.test(line.trim()))
  )
}

/** "---------- Forwarded message" and its translations: what is below was passed on to be read. */
export function isForwardedMessage(line: string): boolean {
  return line.length < 120 && FORWARDED.test(line.trim())
}

/**
 * The number of lines, from `start`, of an introduction such as "On Monday, Ann wrote:", also where it was broken
 * into up to four; 0 when there is none.
 */
export function attributionLength(lines: readonly string[], start: number): number {
  if (!MAY_BEGIN.test(lines[start] ?? '') || !mayEndWithin(lines, start)) return 0
  let joined = ''
  for (let count = 1; count <= MAX_ATTRIBUTION_LINES; count++) {
    const line = cleaned(lines[start + count - 1])
    if (!line) return 0
    joined = count === 1 ? line : `${joined} ${line}`
    if (joined.length > MAX_LINE_LENGTH) return 0
    if (endsAttribution(line) && isAttribution(joined))
      return count === 1 || isOne(lines, start, count) ? count : 0
    if (count === 1 && !mayBegin(lines, start, joined)) return 0
  }
  return 0
}

// A line of the person's own right above an introduction is none of it.
function isOne(lines: readonly string[], start: number, count: number): boolean {
  return STARTS.test(cleaned(lines[start])!.toLowerCase()) || !hasAttribution(lines, start + 1, start + count)
}

function hasAttribution(lines: readonly string[], start: number, end: number): boolean {
  const joined = lines.slice(start, end).map(cleaned).join(' ')
  return isAttribution(joined) && HAS_DAY.test(joined)
}

function mayBegin(lines: readonly string[], start: number, line: string): boolean {
  if (STARTS.test(line.toLowerCase())) return true
  return !lines[start - 1]?.trim() && (hasDate(line) || HAS_ADDRESS.test(line))
}

/** Whether a line right above quoted lines, in whatever language, can only be their introduction. */
export function introducesQuote(line: string): boolean {
  const text = cleaned(line) ?? ''
  const isTold = hasDate(text) || HAS_ADDRESS.test(text)
  if (!/[:：]$/.test(text)) return hasDate(text) && HAS_MAILBOX.test(text)
  return isTold || VERB_LAST.test(text.toLowerCase()) || QUOTES.test(text.toLowerCase())
}

/**
 * Whether a header block (From, Sent, To, Subject in any language, in any order) begins at `start`, as Outlook
 * writes above the mail that it answers.
 */
export function isHeaderBlock(lines: readonly string[], start: number): boolean {
  const first = labelOf(lines[start])
  if (!first || first === 'copy') return isUnknownBlock(lines, start)
  const kinds = new Set<Kind>([first])
  let others = 0
  let hasAddress = HAS_ADDRESS.test((lines[start] ?? '').slice(0, MAX_LINE_LENGTH))
  for (let at = start + 1; at < start + MAX_BLOCK_LINES && others < 3; at++) {
    const kind = labelOf(lines[at])
    if (kind) kinds.add(kind)
    else others++
    hasAddress ||= HAS_ADDRESS.test((lines[at] ?? '').slice(0, MAX_LINE_LENGTH))
    const isMail = kinds.has('subject') || hasAddress
    if (isMail && kinds.has('from') && kinds.size - Number(kinds.has('copy')) >= 3) return true
  }
  return false
}

/** In a language that is not known: a rule, then labels, an address and a date. */
function isUnknownBlock(lines: readonly string[], start: number): boolean {
  if (!isRule(lines[start - 1] ?? '')) return false
  const block = lines.slice(start, start + 6)
  const labelled = block
    .filter((line) => LABELLED.test(line.slice(0, 100)))
    .map((line) => line.slice(0, MAX_LINE_LENGTH))
  return labelled.length >= 3 && labelled.some((line) => HAS_ADDRESS.test(line)) && labelled.some(hasDate)
}

function mayEndWithin(lines: readonly string[], start: number): boolean {
  for (let at = start; at < start + MAX_ATTRIBUTION_LINES && at < lines.length; at++) {
    if (LAST_CODES.has(lastCode(lines[at] ?? ''))) return true
  }
  return false
}

/** The last character that is no white space; NaN in an empty line. */
function lastCode(line: string): number {
  let end = line.length
  while (end > 0 && SPACE.test(line[end - 1]!)) end--
  return line.charCodeAt(end - 1)
}

const hasDate = (text: string): boolean => HAS_DAY.test(text) || HAS_TIME.test(text)

function endsAttribution(line: string): boolean {
  return /[:：]$/.test(line) || VERB_LAST.test(line.toLowerCase())
}

function isAttribution(joined: string): boolean {
  const text = joined.toLowerCase()
  const hasAddress = HAS_ADDRESS.test(text)
  if (VERB_LAST.test(text))
    return HAS_DAY.test(text) || hasAddress || (HAS_TIME.test(text) && STARTS.test(text))
  if (!/[:：]$/.test(text)) return false
  if (QUOTES.test(text)) return hasAddress
  if (HAS_DAY.test(text) && HAS_TIME.test(text) && HAS_MAILBOX.test(text)) return true
  if (VERB_AND_NAME.test(text)) return hasAddress || hasDate(text)
  return hasAddress && hasDate(text) && STARTS.test(text)
}

// Mail programs that write Markdown put asterisks around bold labels; some put dashes around the whole.
function cleaned(line: string | undefined): string | undefined {
  if (line === undefined || line.length > MAX_LINE_LENGTH) return undefined
  return line
    .replace(BIDI, '')
    .replace(/^[-\s]+|[-\s]+$/g, '')
    .trim()
}

function labelOf(line: string | undefined): Kind | undefined {
  const colon = line?.slice(0, 60).search(/[:：]/) ?? -1
  if (!line || colon < 1) return undefined
  return labelKinds.get(line.slice(0, colon).replace(BIDI, '').replaceAll('>', '').trim().toLowerCase())
}
