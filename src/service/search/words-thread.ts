import { beNice } from '../base'
import { atOnce } from './segments'
import type { IndexedTexts } from './terms'
import { type IndexedWords, wordsOf } from './words'

/** Tokenizes messages, in the thread of the indexer. */
export default function run(messages: readonly IndexedTexts[]): IndexedWords {
  beNice()
  return atOnce(wordsOf(messages))
}
