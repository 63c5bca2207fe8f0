import { type DocumentTerms, documentTerms, type IndexedTexts } from '../terms/document-terms'
import type { Block } from './block'
import { buildBlocks } from './build'
import type { Steps } from './pauses'

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
