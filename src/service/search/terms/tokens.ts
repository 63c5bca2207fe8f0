import { latePattern } from '../../../mail/text'
import { fold } from './fold'

/** Scripts that put no spaces between words, and Korean, whose words carry particles: two characters are a token. */
const spaceless =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Bopomofo}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}ー々'
const ofWord = '[\\p{L}\\p{N}\\p{M}]'
const runs = latePattern(`[[${spaceless}]&&${ofWord}]+|[${ofWord}--[${spaceless}]]+`, 'gv')
const beginsSpaceless = latePattern(`^[${spaceless}]`, 'v')
const isSpaceless = (run: string) => beginsSpaceless().test(run)
const plain = /[a-z0-9]+/g
const notPlain = /[^\0-\x7f]/

const maxTokenLength = 60

/**
 * Characters beyond the first plane are written out, so that tokens have the same order here and in both databases.
 */
const written = (run: string) =>
  run.replace(/[\u{10000}-\u{10ffff}]/gu, (character) => `\ue000${character.codePointAt(0)!.toString(36)}`)

/** Pairs of characters that follow each other, the last one alone too, so that one character is the beginning of something. */
function pairsOf(run: string): string[] {
  const characters = Array.from(run, written)
  return characters.map((character, i) => character + (characters[i + 1] ?? ''))
}

const tokensOfRun = (run: string) =>
  isSpaceless(run) ? pairsOf(run) : [written(run).slice(0, maxTokenLength)]

/** The tokens of a text that is folded already. */
function tokensOfFolded(folded: string): string[] {
  if (notPlain.test(folded)) return (folded.match(runs()) ?? []).flatMap(tokensOfRun)
  const words = folded.match(plain) ?? []
  return words.map((word) => (word.length > maxTokenLength ? word.slice(0, maxTokenLength) : word))
}

/** The words of a text, without case, accents and punctuation, in their order; of scripts without spaces all pairs of characters. */
export const tokensOf = (text: string): string[] => tokensOfFolded(fold(text))

/**
 * The tokens of something looked for. The last character of a run is a token only where it is alone: what was written
 * goes on behind it as likely as not.
 */
export function soughtTokens(text: string): string[] {
  const found = fold(text).match(runs()) ?? []
  return found.flatMap((run) => {
    const tokens = tokensOfRun(run)
    return isSpaceless(run) && tokens.length > 1 ? tokens.slice(0, -1) : tokens
  })
}

/** Tells whether a token is one character of a script without spaces, which begins pairs. */
export const isHalfPair = (token: string): boolean => isSpaceless(token) && Array.from(token).length === 1
