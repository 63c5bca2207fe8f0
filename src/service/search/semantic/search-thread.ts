import { LRUCache } from 'lru-cache'
import { beNice } from '../../base/be-nice'
import { atOnce } from '../segments/pauses'
import { type IndexedWords, wordsOf } from '../segments/words'
import type { IndexedTexts } from '../terms/document-terms'
import { Encoder } from './encoder'
import { cosinesOf, type NearMessages, type ScanScope, VectorSet, type Wanted } from './scan'
import { quantized, type VectorRow } from './vectors'

/** Tasks of a search thread, with their answers. Loaded vectors are lost when the thread ends. */
export interface SearchTasks {
  /** Splits messages into words. */
  split: { asked: readonly IndexedTexts[]; answer: IndexedWords }
  /** Embeds texts with the built-in encoder. */
  embed: { asked: { texts: readonly string[] }; answer: readonly Float32Array[] }
  /** Scores the vectors of some messages; null for those that cannot be compared. */
  rank: {
    asked: { vector: Float32Array; rows: readonly Pick<VectorRow, 'numbers'>[] }
    answer: readonly (number | null)[]
  }
  /**
   * Scores the candidates of a set of vectors, which is loaded in parts. Null if there were only rows to
   * load; the loaded version if it is another one.
   */
  score: {
    asked: {
      set: string
      version: number
      load?: readonly VectorRow[]
      find?: { scope: ScanScope; vector: Float32Array; wanted: Wanted }
    }
    answer: NearMessages | { has: number } | null
  }
}

export type TaskName = keyof SearchTasks

/** A task for the thread. */
export interface SearchTask<Name extends TaskName = TaskName> {
  readonly name: Name
  readonly asked: SearchTasks[Name]['asked']
  /** True to run with low priority. */
  readonly isBackground: boolean
}

const sets = new LRUCache<string, VectorSet>({
  maxSize: 512 * 1024 * 1024,
  sizeCalculation: ({ bytes }) => bytes + 1,
})

let encoder: Encoder | undefined

function embed({ texts }: SearchTasks['embed']['asked']): Float32Array[] {
  encoder ??= new Encoder()
  return texts.map((text) => encoder!.embed(text))
}

function score({ set, version, load, find }: SearchTasks['score']['asked']): SearchTasks['score']['answer'] {
  const loaded = sets.get(set) ?? new VectorSet()
  if (load) {
    loaded.load(load, version)
    sets.delete(set)
    sets.set(set, loaded)
  }
  if (!find) return null
  if (loaded.version !== version) return { has: loaded.version }
  const { scope, vector, wanted } = find
  if ('limit' in wanted) return loaded.nearest(scope, vector, wanted.limit)
  return loaded.among(vector, wanted.among, wanted.like)
}

const tasks: { [Name in TaskName]: (asked: SearchTasks[Name]['asked']) => SearchTasks[Name]['answer'] } = {
  split: (messages) => atOnce(wordsOf(messages)),
  embed,
  rank: ({ vector, rows }) => cosinesOf(rows, quantized([vector])),
  score,
}

/** Runs one task, in a thread of `createSearchThreads`. */
export default function run<Name extends TaskName>({ name, asked, isBackground }: SearchTask<Name>) {
  if (isBackground) beNice()
  return tasks[name](asked)
}
