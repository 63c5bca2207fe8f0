import { stemOf, tokensOf } from '../terms'

/**
 * Features of a text for learning: hashes of its words and parts of words, each once, with its count. The
 * last bit of a hash distinguishes the two. Words cannot be recovered from their hashes.
 */
export interface Features {
  readonly keys: Uint32Array
  readonly counts: Float32Array
}

export const isPart = (key: number): boolean => (key & 1) === 1

/** Maximum characters: the topic of a text comes early, and the rest costs time. */
const maxCharacters = 8_000
const shortestPart = 3
const longestPart = 5

/** Stop words of nearly every English text; equally common words of other languages get a low weight. */
const stopWords = new Set(
  `a about above after again against all am an and any are as at be because been before being below between both but by
  can cannot could did do does doing down during each few for from further had has have having he her here hers him his
  how i if in into is it its just me more most my no nor not now of off on once only or other our ours out over own same
  she should so some such than that the their theirs them then there these they this those through to too under until up
  very was we were what when where which while who whom why will with would you your yours`.split(/\s+/),
)

const basis = 0x811c9dc5
const step = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193)

/** Mixes what an FNV-1a step leaves in the low bits; 31 bits, which V8 keeps unboxed. */
function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (once ^ (once >>> 13)) >>> 1
}

function wordKey(word: string): number {
  let hash = basis
  for (let i = 0; i < word.length; i++) hash = step(hash, word.charCodeAt(i))
  return mixed(hash) & ~1
}

/**
 * Adds the parts of a word, its ends included, so that words with a common stem or a typo have much in
 * common.
 */
function addPartKeys(word: string, add: (key: number) => void): void {
  const ended = `<${word}>`
  for (let start = 0; start + shortestPart <= ended.length; start++) {
    let hash = basis
    const end = Math.min(start + longestPart, ended.length)
    for (let i = start; i < end; i++) {
      hash = step(hash, ended.charCodeAt(i))
      if (i - start + 1 >= shortestPart) add(mixed(hash) | 1)
    }
  }
}

/** Extracts the features of a text; English words are stemmed. */
export function featuresOf(text: string): Features {
  const counts = new Map<number, number>()
  const add = (key: number) => void counts.set(key, (counts.get(key) ?? 0) + 1)
  for (const token of tokensOf(text.slice(0, maxCharacters))) {
    if (stopWords.has(token)) continue
    add(wordKey(stemOf(token)))
    addPartKeys(token, add)
  }
  return { keys: Uint32Array.from(counts.keys()), counts: Float32Array.from(counts.values()) }
}
