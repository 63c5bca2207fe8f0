import { wrote } from './quote-phrases'
import { withLineFeeds } from './safe-text'

/** Properties of a line, from its ends and a few characters: they spare most lines the costly patterns. */
export const mark = {
  /** Has more than white space. */
  written: 1,
  /** Starts with white space. */
  indented: 2,
  /** Its first sign, after white space, is a dash or similar. */
  dash: 4,
  /** Contains a `>`. */
  angle: 8,
  colon: 16,
  /** Ends like the introduction of a quote. */
  end: 32,
} as const

/** Characters that count as dashes, for brackets of a regular expression. */
export const dashes = '-_=*~\u2010-\u2015\u2500'

const space = /\s/
const dashPattern = new RegExp(`[${dashes}]`)
const lastLineWords = new Set(
  [...wrote, ...':：*_-\u200e\u200f\u202c\u2069'].flatMap((word) =>
    [word.toLowerCase(), word.toUpperCase()].map((written) => written.charCodeAt(written.length - 1)),
  ),
)
/** Last words of introductions that end with an ASCII letter. */
const lastWords = new Set(wrote.map((phrase) => /[a-z]+$/.exec(phrase)?.[0] ?? ''))
const maxLastWord = Math.max(...[...lastWords].map((word) => word.length))
/** ASCII letters and digits are neither white space nor dashes; this table is much faster than a pattern. */
const isPlain = Array.from({ length: 128 }, (_, code) => /[a-z\d]/i.test(String.fromCharCode(code)))

/** Invisible characters: direction marks, joiners, and the tracking sign of Gmail add-ons (U+1427). */
const unseen = /^[\s\u00ad\u061c\u1427\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f]+$/
const shown = (line: string): string => {
  const first = line.charCodeAt(0)
  return (first <= 32 || first >= 0xa0) && unseen.test(line) ? '' : line
}

const isSpace = (line: string, at: number): boolean => !isPlain[line.charCodeAt(at)] && space.test(line[at]!)
const isDash = (line: string, at: number): boolean =>
  !isPlain[line.charCodeAt(at)] && dashPattern.test(line[at]!)

function marksOf(line: string): number {
  let last = line.length - 1
  while (last >= 0 && isSpace(line, last)) last--
  if (last < 0) return 0
  let first = 0
  while (isSpace(line, first)) first++
  let marks: number = mark.written
  if (first > 0) marks |= mark.indented
  if (isDash(line, first)) marks |= mark.dash
  if (line.includes('>')) marks |= mark.angle
  if (line.includes(':') || line.includes('：')) marks |= mark.colon
  if (mayEnd(line, last)) marks |= mark.end
  return marks
}

/** Returns whether a line may end like an introduction, by its last letters. */
function mayEnd(line: string, last: number): boolean {
  const code = line.charCodeAt(last)
  if (!lastLineWords.has(code)) return false
  if (!isLetter(code)) return true
  let start = last
  while (start > 0 && last - start <= maxLastWord && isLetter(line.charCodeAt(start - 1))) start--
  return lastWords.has(line.slice(start, last + 1).toLowerCase())
}

const isLetter = (code: number): boolean => {
  const small = code | 32
  return small >= 97 && small <= 122 && code < 128
}

/** Lines of a text, each with its marks. */
export class MarkedLines {
  readonly texts: readonly string[]
  readonly #marks: Uint8Array
  /** Lengths of introductions by their first lines: each is searched once. */
  readonly introductions = new Map<number, number>()

  private constructor(texts: readonly string[], marks: Uint8Array) {
    this.texts = texts
    this.#marks = marks
  }

  /** Splits a text at line ends of any kind; lines without visible characters become empty. */
  static of(text: string): MarkedLines {
    const texts = withLineFeeds(text).split('\n')
    const marks = new Uint8Array(texts.length)
    for (let at = 0; at < texts.length; at++) {
      texts[at] = shown(texts[at]!)
      marks[at] = marksOf(texts[at]!)
    }
    return new MarkedLines(texts, marks)
  }

  get length(): number {
    return this.texts.length
  }

  /** Empty beyond the ends. */
  text(at: number): string {
    return this.texts[at] ?? ''
  }

  /** Returns whether a line has any of some marks; lines beyond the ends have none. */
  has(at: number, marks: number): boolean {
    return at < this.length && (this.#marks[at]! & marks) !== 0
  }

  /** Returns whether a line is empty, or beyond the ends. */
  isBlank(at: number): boolean {
    return !this.has(at, mark.written)
  }

  /** Returns the first non-blank line from a line on; the number of lines if there is none. */
  nextWritten(start: number): number {
    let at = start
    while (at < this.length && this.isBlank(at)) at++
    return Math.min(at, this.length)
  }

  /** Returns the lines before a line. */
  until(end: number): MarkedLines {
    return end >= this.length ? this : new MarkedLines(this.texts.slice(0, end), this.#marks)
  }
}
