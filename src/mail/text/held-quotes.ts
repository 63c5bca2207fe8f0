import { MarkedLines } from './marked-lines'
import { attributionLength, isHeaderBlock, isOriginalMessage } from './quote-lines'
import { splitReply } from './reply-text'
import { withLineFeeds } from './safe-text'

const shingleWords = 4
const marks = /^(?: ?>){1,20} ?/
const maxLength = 64 * 1024
/** Known share of a quote that makes it a repetition: programs wrap, cut and mark their quotes. */
const minShare = 0.7

/** Known texts, to detect repetitions. */
export interface HeldTexts {
  add(text: string): void
  holds(text: string): boolean
}

const wordsOf = (text: string): string[] =>
  text
    .slice(0, maxLength)
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)

function* shinglesOf(text: string): Generator<string> {
  const words = wordsOf(text)
  const size = Math.min(shingleWords, words.length)
  for (let at = 0; size > 0 && at + size <= words.length; at++) yield words.slice(at, at + size).join(' ')
}

/** Makes {@link HeldTexts}, which compares sequences of words. */
export function createHeldTexts(): HeldTexts {
  const held = new Set<string>()
  return {
    add: (text) => {
      for (const shingle of shinglesOf(text)) held.add(shingle)
    },
    holds: (text) => {
      let all = 0
      let known = 0
      for (const shingle of shinglesOf(text)) {
        all++
        if (held.has(shingle)) known++
      }
      return known >= all * minShare
    },
  }
}

/** A split body. */
interface SplitQuote {
  /** The words that were written now, with quotes that they answer point by point. */
  own: string
  /** The signature below it; empty for none. */
  signature: string
  /** The quoted text without its marks, with its introductions; empty for none. */
  quote: string
  /** Words of the quote, without introductions of programs. */
  quoted: string
}

/** Splits a body into new text and the quotes below, above or around it. Linear time. */
export function splitQuote(body: string, isForward: boolean): SplitQuote {
  const { reply, signature } = splitReply(body, { isForward })
  const kept = [...reply.split('\n'), ...signature.split('\n')].map((line) => line.trimEnd())
  const lines: string[] = []
  let at = 0
  for (const line of withLineFeeds(body).split('\n')) {
    while (at < kept.length && !kept[at]) at++
    if (line.trim() && line.trimEnd() === kept[at]) at++
    else lines.push(line.replace(marks, ''))
  }
  // If the parts were not found in order, all of it would count as a quote.
  if (kept.slice(at).some(Boolean)) return { own: reply, signature, quote: '', quoted: '' }
  const quoted = withoutIntroductions(MarkedLines.of(lines.join('\n'))).join('\n')
  return { own: reply, signature, quote: lines.join('\n').trim(), quoted }
}

function withoutIntroductions(lines: MarkedLines): string[] {
  const left: string[] = []
  for (let at = 0; at < lines.length; at++) {
    if (isOriginalMessage(lines, at)) continue
    const length = attributionLength(lines, at)
    if (length > 0) at += length - 1
    else if (isHeaderBlock(lines, at)) while (!lines.isBlank(at + 1)) at++
    else left.push(lines.text(at))
  }
  return left
}
