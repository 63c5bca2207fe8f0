/**
 * Words of letters and numbers. Scripts that put no spaces between words have each character as a word, and a word as a
 * phrase of them, also where it stands right beside letters of another script.
 */
const spaceless =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
const wordPattern = new RegExp(`[[${spaceless}]&&[\\p{L}\\p{N}]]|[[\\p{L}\\p{N}]--[${spaceless}]]+`, 'gv')
const maxWordCharacters = 60

/** The words of a text as the index has them: without case, accents and punctuation. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
  return (plain.match(wordPattern) ?? []).map((word) => word.slice(0, maxWordCharacters))
}

/** A term of a search; its words stand one after the other. */
export interface SearchTerm {
  words: string[]
  /** The last word may go on. */
  isPrefix: boolean
}

const maxTerms = 32

/**
 * Reads what somebody looks for: words, "phrases in quotes" and beginnings*. An address or a number with dots is a
 * phrase by itself. Nothing else has a meaning, so nothing that a model writes is an error.
 */
export function searchTerms(text: string): SearchTerm[] {
  const pieces = text.match(/"[^"]*"\*?|[^\s"]+/g) ?? []
  return pieces
    .map((piece) => ({ words: wordsOf(piece), isPrefix: piece.endsWith('*') }))
    .filter(({ words }) => words.length > 0)
    .slice(0, maxTerms)
}
