import { LRUCache } from 'lru-cache'
import { beNice } from '../../base'
import {
  embedFeatures,
  type Features,
  featuresOf,
  type KeyPlaces,
  type LsaModel,
  learnModel,
  modelBytes,
  modelOf,
  placesOf,
  pruneModel,
} from '../lsa'
import { type PackedVectors, readPacked } from './packed'
import { type NearMessages, nearest, nearestAmong, type ScanScope } from './scan'

/** A stored block of vectors. */
export interface VectorBlock {
  readonly inboxId: string
  readonly firstSeq: number
  readonly bytes: Uint8Array
}

/** The wanted messages: the nearest of all, or given ones with the query moved towards relevant ones. */
export type Wanted = { limit: number } | { among: Float64Array; like: readonly number[] }

/** Work for a thread, with its answer. Cached data is lost when the thread ends, or is evicted. */
export interface ThreadWork {
  /** Extracts features of texts, to learn from them. */
  collect: { asked: { session: string; texts: readonly string[] }; answer: null }
  /** Learns a model from the collected texts, as bytes; null if they are too few. */
  learn: { asked: { session: string }; answer: Uint8Array | null }
  /** Keeps only the parts of a model that are in the collected texts; null if too little is left. */
  prune: { asked: { session: string; knowledge: Uint8Array }; answer: Uint8Array | null }
  /** Embeds texts; null if the model is not cached, and must be given as bytes. */
  embed: {
    asked: { knowledge: string; bytes: Uint8Array | null; texts: readonly string[] }
    answer: { vectors: Float32Array; confidences: Float32Array } | null
  }
  /** Loads vectors, in place of earlier ones of the same blocks. */
  load: { asked: { set: string; version: number; blocks: readonly VectorBlock[] }; answer: null }
  /** Finds the messages near a vector; returns the loaded version if it is another one. */
  nearest: {
    asked: {
      set: string
      version: number
      scope: ScanScope
      vector: Float32Array
      wanted: Wanted
    }
    answer: NearMessages | { has: number }
  }
}

export type WorkName = keyof ThreadWork
export interface ThreadTask<Name extends WorkName = WorkName> {
  name: Name
  asked: ThreadWork[Name]['asked']
  /** True to run with low priority. */
  background: boolean
}

interface Knowledge {
  model: LsaModel
  places: KeyPlaces
}

interface LoadedSet {
  version: number
  bytes: number
  blocks: Map<string, Map<number, PackedVectors>>
}

const collected = new Map<string, Features[]>()
const knowledges = new LRUCache<string, Knowledge>({
  maxSize: 64 * 1024 * 1024,
  sizeCalculation: ({ model }) => model.directions.length + 100 * model.keys.length,
})
const sets = new LRUCache<string, LoadedSet>({
  maxSize: 512 * 1024 * 1024,
  sizeCalculation: ({ bytes }) => bytes + 1,
})

function collect({ session, texts }: ThreadWork['collect']['asked']): null {
  const documents = collected.get(session) ?? []
  for (const text of texts) documents.push(featuresOf(text))
  collected.clear() // of an abandoned session
  collected.set(session, documents)
  return null
}

function takeCollected(session: string): Features[] {
  const documents = collected.get(session) ?? []
  collected.clear()
  return documents
}

function learn({ session }: ThreadWork['learn']['asked']): Uint8Array | null {
  const model = learnModel(takeCollected(session))
  return model && modelBytes(model)
}

function prune({ session, knowledge }: ThreadWork['prune']['asked']): Uint8Array | null {
  const model = pruneModel(modelOf(knowledge), takeCollected(session))
  return model && modelBytes(model)
}

function embed({ knowledge, bytes, texts }: ThreadWork['embed']['asked']): ThreadWork['embed']['answer'] {
  let known = knowledges.get(knowledge)
  if (!known) {
    if (!bytes) return null
    const model = modelOf(bytes)
    known = { model, places: placesOf(model.keys) }
    knowledges.set(knowledge, known)
  }
  const { dimensions } = known.model
  const vectors = new Float32Array(texts.length * dimensions)
  const confidences = new Float32Array(texts.length)
  for (const [i, text] of texts.entries()) {
    const { vector, confidence } = embedFeatures(known.model, known.places, featuresOf(text))
    vectors.set(vector, i * dimensions)
    confidences[i] = confidence
  }
  return { vectors, confidences }
}

function load({ set, version, blocks }: ThreadWork['load']['asked']): null {
  const loaded = sets.get(set) ?? { version, bytes: 0, blocks: new Map() }
  for (const { inboxId, firstSeq, bytes } of blocks) {
    const ofInbox = loaded.blocks.get(inboxId) ?? new Map<number, PackedVectors>()
    loaded.blocks.set(inboxId, ofInbox)
    loaded.bytes += bytes.byteLength - (ofInbox.get(firstSeq)?.numbers.buffer.byteLength ?? 0)
    ofInbox.set(firstSeq, readPacked(bytes))
  }
  sets.delete(set)
  sets.set(set, { ...loaded, version })
  return null
}

function findNearest(asked: ThreadWork['nearest']['asked']): ThreadWork['nearest']['answer'] {
  const { set, version, scope, vector, wanted } = asked
  const loaded = sets.get(set)
  if (loaded?.version !== version) return { has: loaded?.version ?? 0 }
  if ('limit' in wanted) return nearest(loaded.blocks, scope, vector, wanted.limit)
  return nearestAmong(loaded.blocks, scope, vector, wanted.among, wanted.like)
}

const works: { [Name in WorkName]: (asked: ThreadWork[Name]['asked']) => ThreadWork[Name]['answer'] } = {
  collect,
  learn,
  prune,
  embed,
  load,
  nearest: findNearest,
}

/** Runs one task, in a thread of `createThreads`. */
export default function run<Name extends WorkName>({ name, asked, background }: ThreadTask<Name>) {
  if (background) beNice()
  return works[name](asked)
}
