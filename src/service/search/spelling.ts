import type { OpenMail } from './keyword'
import type { Lookup } from './lookup'
import { surfaceTerm } from './terms/document-terms'
import { stemOf } from './terms/stem'

/** A word of the messages in scope that a misspelt word probably means. */
export interface Correction {
  readonly stem: string
  /** Most frequent form, to be shown. */
  readonly word: string
}

const minLength = 4
/** Length from which a word may differ in two letters. */
const longLength = 8
/** Letters at the beginning that select the words to compare. */
const prefixLetters = 3
const letters = /^\p{L}+$/u

const maxDistance = (word: string) => (word.length < longLength ? 1 : 2)

/**
 * Returns in how many letters two words differ, where two adjacent letters in another order count as one
 * (of Levenshtein, with swaps); a number above `max` if they differ in more.
 */
export function distanceOf(one: string, other: string, max: number): number {
  if (Math.abs(one.length - other.length) > max) return max + 1
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      const changed = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1))
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row.push(isSwapped ? Math.min(changed, before[j - 2]! + 1) : changed)
    }
    if (Math.min(...row) > max) return max + 1
    before = last
    last = row
  }
  return last[other.length]!
}

/**
 * Returns the prefixes of words that may be meant: the first letters as written, with two in the other order,
 * without one, and with one doubled. Other mistakes there are too rare to read many more words.
 */
function prefixesOf(word: string): string[] {
  const found = new Set([word.slice(0, prefixLetters)])
  for (let i = 0; i < prefixLetters; i++) {
    const [before, letter, after] = [word.slice(0, i), word[i] ?? '', word.slice(i + 1)]
    for (const variant of [before + after, before + letter + letter + after])
      found.add(variant.slice(0, prefixLetters))
    found.add((before + after.slice(0, 1) + letter + after.slice(1)).slice(0, prefixLetters))
  }
  return [...found]
}

/** Finds what a word without a hit probably means, among the words of the messages in scope. */
export async function correctionOf(lookup: Lookup, mail: OpenMail, word: string): Promise<Correction | null> {
  if (word.length < minLength || !letters.test(word)) return null
  const [stem, max] = [stemOf(word), maxDistance(word)]
  let best: { term: string; distance: number; having: number } | null = null
  const terms = await lookup.termsInScope(mail.segments, prefixesOf(word), (term) => {
    const distance = Math.min(distanceOf(stem, term, max), distanceOf(word, term, max))
    return letters.test(term) && distance <= max && distance > 0
  })
  for (const [term, having] of terms) {
    const distance = Math.min(distanceOf(stem, term, max), distanceOf(word, term, max))
    const isBetter = !best || distance < best.distance || (distance === best.distance && having > best.having)
    if (isBetter) best = { term, distance, having }
  }
  return best && { stem: best.term, word: await shownWord(lookup, mail, best.term) }
}

/** Returns the most frequent word of a stem, as the messages write it. */
async function shownWord(lookup: Lookup, mail: OpenMail, stem: string): Promise<string> {
  // Too many words begin like a shorter one.
  if (stem.length < minLength) return stem
  const surface = surfaceTerm('')
  const forms = await lookup.termsInScope(
    mail.segments,
    [surfaceTerm(stem.slice(0, -1))],
    (term) => stemOf(term.slice(surface.length)) === stem,
  )
  const [first] = [...forms].sort(([, one], [, other]) => other - one)
  return first ? first[0].slice(surface.length) : stem
}
