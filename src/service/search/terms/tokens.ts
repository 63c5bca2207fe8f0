import { fold } from './fold'

/**
 * Scripts without spaces between words, and Korean, whose words carry particles: a token is two characters.
 */
const spaceless =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Bopomofo}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}ー々'
const ofWord = '[\\p{L}\\p{N}\\p{M}]'
const runs = new RegExp(`[[${spaceless}]&&${ofWord}]+|[${ofWord}--[${spaceless}]]+`, 'gv')
const beginsSpaceless = new RegExp(`^[${spaceless}]`, 'v')
const isSpaceless = (run: string) => beginsSpaceless.test(run)
const plain = /[a-z0-9]+/g
const notPlain = /[^\0-\x7f]/

const maxTokenLength = 60

/** Encodes characters beyond the first plane, so that tokens sort alike here and in both databases. */
const written = (run: string) =>
  run.replace(/[\u{10000}-\u{10ffff}]/gu, (character) => `\ue000${character.codePointAt(0)!.toString(36)}`)

/**
 * Returns pairs of adjacent characters, and the last one alone, so that a single character is a prefix of
 * something.
 */
function pairsOf(run: string): string[] {
  const characters = Array.from(run, written)
  return characters.map((character, i) => character + (characters[i + 1] ?? ''))
}

const tokensOfRun = (run: string) =>
  isSpaceless(run) ? pairsOf(run) : [written(run).slice(0, maxTokenLength)]

/** Returns the tokens of a folded text. */
function tokensOfFolded(folded: string): string[] {
  if (notPlain.test(folded)) return (folded.match(runs) ?? []).flatMap(tokensOfRun)
  const words = folded.match(plain) ?? []
  return words.map((word) => (word.length > maxTokenLength ? word.slice(0, maxTokenLength) : word))
}

/**
 * Returns the ordered words of a text, without case, accents and punctuation; all character pairs in scripts
 * without spaces.
 */
export const tokensOf = (text: string): string[] => tokensOfFolded(fold(text))

/**
 * Returns the tokens of a query. The last character of a run is a token only if it is alone: otherwise the
 * text probably continues after it.
 */
export function soughtTokens(text: string): string[] {
  const found = fold(text).match(runs) ?? []
  return found.flatMap((run) => {
    const tokens = tokensOfRun(run)
    return isSpaceless(run) && tokens.length > 1 ? tokens.slice(0, -1) : tokens
  })
}

/** Checks whether a token is one character of a script without spaces, which is a prefix of pairs. */
export const isHalfPair = (token: string): boolean => isSpaceless(token) && Array.from(token).length === 1
