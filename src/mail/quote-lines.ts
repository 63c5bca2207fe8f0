import { FORWARDED_MESSAGE, LABELS, ON, ORIGINAL_MESSAGE, WROTE } from './quote-phrases'

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
  [...WROTE, 'のメール', '写道', '寫道', '작성', ':', '：', '*', '_', '\u200e', '\u200f'].flatMap((word) =>
    [word.toLowerCase(), word.toUpperCase()].map((written) => written.charCodeAt(written.length - 1)),
  ),
)
const SPACE = /\s/
const VERB_AND_NAME = new RegExp(`[^\\p{L}](?:${escaped(WROTE)})[^\\p{L}].{0,200}[:：]$`, 'u')
const STARTS = new RegExp(`^(?:(?:${escaped(ON)})[\\s,]|\\d|[\\p{L}]{2,12}[.,]{1,2}\\s)`, 'u')
const HAS_DATE = /\d{1,2}[:.h]\d{2}|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\b(19|20)\d\d\b|\d年|\d월/
const HAS_ADDRESS = /[^\s@<]@[^\s@>]/
// Their first line holds the date or the address; this spares all other lines the costly patterns.
const MAY_BEGIN = /[\d@]/
const RULED = (words: readonly string[]) => new RegExp(`^[-_=*~\\s]{2,60}\\s?(?:${escaped(words)})`, 'iu')
const ORIGINAL = RULED(ORIGINAL_MESSAGE)
const FORWARDED = new RegExp(
  `^(?:[-_=*~\\s]{2,60}\\s?(?:${escaped(FORWARDED_MESSAGE)})|(?:${escaped(FORWARDED_MESSAGE)})\\s?[:：]$)`,
  'iu',
)
const RULE = /^[\s>]*[-_=*─—][-_=*─—\s]*$/

type Kind = keyof typeof LABELS
const labelKinds = new Map<string, Kind>(
  (Object.keys(LABELS) as Kind[]).flatMap((kind) =>
    LABELS[kind].map((label): [string, Kind] => [label, kind]),
  ),
)

/** Whether a line is quoted with `>`. An mbox-escaped `>From ` at a line start is not. */
export function isQuoted(line: string): boolean {
  return /^ {0,3}>/.test(line) && !line.startsWith('>From ')
}

/** Whether a line is only a rule of dashes or underscores. */
export function isRule(line: string): boolean {
  return line.length < MAX_LINE_LENGTH && /[-_=*─—]{3}/.test(line) && RULE.test(line)
}

/** "-----Original Message-----" and its translations: all below is quoted. */
export function isOriginalMessage(line: string): boolean {
  return line.length < 120 && /[-_=*~]{2}/.test(line) && ORIGINAL.test(line)
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
    if (count === 1 && !STARTS.test(joined.toLowerCase()) && !isWhole(joined)) return 0
    if (endsAttribution(line) && isAttribution(joined)) return count
  }
  return 0
}

/** Whether a line right above quoted lines, in whatever language, can only be their introduction. */
export function introducesQuote(line: string): boolean {
  const text = cleaned(line) ?? ''
  return (
    /[:：]$/.test(text) &&
    (HAS_DATE.test(text) || HAS_ADDRESS.test(text) || VERB_LAST.test(text.toLowerCase()))
  )
}

/**
 * Whether a header block (From, Sent, To, Subject in any language, in any order) begins at `start`, as Outlook
 * writes above the mail that it answers.
 */
export function isHeaderBlock(lines: readonly string[], start: number): boolean {
  const first = labelOf(lines[start])
  if (!first || first === 'copy') return false
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

function isWhole(text: string): boolean {
  return endsAttribution(text) && isAttribution(text)
}

function endsAttribution(line: string): boolean {
  return /[:：]$/.test(line) || VERB_LAST.test(line.toLowerCase())
}

function isAttribution(joined: string): boolean {
  const text = joined.toLowerCase()
  const hasDate = HAS_DATE.test(text)
  const hasAddress = HAS_ADDRESS.test(text)
  if (VERB_LAST.test(text)) return hasDate || (hasAddress && STARTS.test(text))
  if (!/[:：]$/.test(text)) return false
  return (hasDate || hasAddress) && (VERB_AND_NAME.test(text) || (hasDate && hasAddress && STARTS.test(text)))
}

// Mail programs that write Markdown put asterisks around bold labels.
function cleaned(line: string | undefined): string | undefined {
  if (line === undefined || line.length > MAX_LINE_LENGTH) return undefined
  return line.replace(/[*_\u200e\u200f]/g, '').trim()
}

function labelOf(line: string | undefined): Kind | undefined {
  const colon = line?.slice(0, 60).search(/[:：]/) ?? -1
  if (!line || colon < 1) return undefined
  return labelKinds.get(
    line
      .slice(0, colon)
      .replace(/[*_>\u200e\u200f]/g, '')
      .trim()
      .toLowerCase(),
  )
}
