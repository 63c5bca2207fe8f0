import { type Block, buildBlocks, type Steps } from './segments'
import { type DocumentTerms, documentTerms, type IndexedTexts } from './terms'

/** Indexed data of messages: their words as blocks, and the number of words of each. */
export interface IndexedWords {
  readonly lengths: readonly number[]
  readonly blocks: readonly Block[]
}

/** Tokenizes messages, which takes most of the indexing time. */
export function* wordsOf(messages: readonly IndexedTexts[]): Steps<IndexedWords> {
  const terms: DocumentTerms[] = []
  for (const texts of messages) terms.push(yield* documentTerms(texts))
  return { lengths: terms.map(({ length }) => length), blocks: yield* buildBlocks(terms) }
}
