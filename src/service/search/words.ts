import { type Block, buildBlocks, type Steps } from './segments'
import { type DocumentTerms, documentTerms, type IndexedTexts } from './terms'

/** Hold what the index keeps of messages: their words as blocks, and the number of words of each. */
export interface IndexedWords {
  readonly lengths: readonly number[]
  readonly blocks: readonly Block[]
}

/** Takes messages apart; most of the time of taking them in goes here. */
export function* wordsOf(messages: readonly IndexedTexts[]): Steps<IndexedWords> {
  const terms: DocumentTerms[] = []
  for (const texts of messages) terms.push(yield* documentTerms(texts))
  return { lengths: terms.map(({ length }) => length), blocks: yield* buildBlocks(terms) }
}
