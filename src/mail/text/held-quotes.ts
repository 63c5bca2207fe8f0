import { MarkedLines } from './marked-lines'
import { attributionLength, isHeaderBlock, isOriginalMessage } from './quote-lines'
import { splitReply } from './reply-text'
import { withLineFeeds } from './safe-text'

const SHINGLE = 4
const MARKS = /^(?: ?>){1,20} ?/
const MAX_LENGTH = 64 * 1024
/** The share of a quote that must be known for it to be a repetition: programs wrap, cut and mark what they quote. */
const MIN_SHARE = 0.7

/** Texts that are known, to be asked whether something repeats them. */
export interface HeldTexts {
  add(text: string): void
  holds(text: string): boolean
}

const wordsOf = (text: string): string[] =>
  text
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)

function* shinglesOf(text: string): Generator<string> {
  const words = wordsOf(text)
  const size = Math.min(SHINGLE, words.length)
  for (let at = 0; size > 0 && at + size <= words.length; at++) yield words.slice(at, at + size).join(' ')
}

/** Makes {@link HeldTexts}, which compares by runs of words. */
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
      return known >= all * MIN_SHARE
    },
  }
}

/** A body taken apart. */
interface SplitQuote {
  /** The words that were written now, with the quotes that they answer point by point. */
  own: string
  /** The signature below it; empty where there is none. */
  signature: string
  /** The text that was quoted, without its marks and with its introductions; empty where there is none. */
  quote: string
  /** The words of the quote, without the introductions that a program wrote. */
  quoted: string
}

/** Splits a body into what was written now and what was quoted below, above or around it. Linear time. */
export function splitQuote(body: string, isForward: boolean): SplitQuote {
  const { reply, signature } = splitReply(body, { isForward })
  const kept = [...reply.split('\n'), ...signature.split('\n')].map((line) => line.trimEnd())
  const lines: string[] = []
  let at = 0
  for (const line of withLineFeeds(body).split('\n')) {
    while (at < kept.length && !kept[at]) at++
    if (line.trim() && line.trimEnd() === kept[at]) at++
    else lines.push(line.replace(MARKS, ''))
  }
  // Had the parts not been found in their order, all would be taken for a quote.
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
