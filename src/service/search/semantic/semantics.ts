import { boundedMap } from '../../base/bounded-map'
import { type EmbeddingPorts, embedderOf } from './embedders'
import { modelsOf, type SearchModel } from './models'
import { embedAfterMs, requestEmbedding } from './request-embedding'
import type { NearMessages, Wanted } from './scan'
import type { SemanticScope, SemanticSearch } from './semantic-search'
import { vectorsOf, vectorsSince } from './vectors'

/** Time in ms after which a search's request to the embedder is aborted. */
const embedTimeoutMs = 3_000
const maxKnownQueries = 500
/** Tries to read vectors that change meanwhile, which is rare even once. */
const maxAttempts = 5

/** A query with its embedding by a model. */
interface EmbeddedQuery {
  readonly model: SearchModel
  readonly vector: Float32Array
}

const lengthOf = (vector: Float32Array) => Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))

/** Embeds queries; the last ones are kept. */
function createQueryEmbedder(ports: EmbeddingPorts) {
  const knownQueries = boundedMap<Float32Array>(maxKnownQueries)

  /** Embeds a query as a vector of length 1; undefined if it has no content. */
  async function vectorOf(model: SearchModel, text: string): Promise<Float32Array | undefined> {
    const key = `${model.embedder} ${text}`
    const known = knownQueries.get(key)
    if (known) return known
    const embedder = embedderOf(ports, model)
    const [numbers] = (await embedder?.embed([text], 'query', AbortSignal.timeout(embedTimeoutMs))) ?? []
    const vector = Float32Array.from(numbers ?? [])
    const length = lengthOf(vector)
    if (!(length > 0)) return undefined
    const unit = vector.map((value) => value / length)
    knownQueries.set(key, unit)
    return unit
  }

  return async ({ tenantId }: SemanticScope, text: string): Promise<EmbeddedQuery | null> => {
    const { current } = await modelsOf(ports.store.db, tenantId)
    const vector = current && (await vectorOf(current, text))
    return vector ? { model: current, vector } : null
  }
}

/** Scans the vectors of an account, which the thread loads as far as it lacks them. */
async function scan(
  { store, threads }: EmbeddingPorts,
  where: SemanticScope,
  { model, vector }: EmbeddedQuery,
  wanted: Wanted,
) {
  const { inboxIds, toSeq } = where
  const scope = { inboxIds: inboxIds ? [...inboxIds] : null, toSeq: toSeq ?? Number.MAX_SAFE_INTEGER }
  const set = model.id
  let current: SearchModel | undefined = model
  for (let attempt = 0; current?.id === set && attempt < maxAttempts; attempt++) {
    const { version }: SearchModel = current
    const find = { scope, vector, wanted }
    const answer = await threads.query('score', { set, version, find })
    if (answer && !('has' in answer)) return answer
    current = (await modelsOf(store.db, where.tenantId)).current
    if (current?.id !== set) return null
    // The version of a part is reached only with the last one.
    const pages = vectorsSince(store.db, current, answer?.has ?? 0)
    for await (const load of pages) await threads.query('score', { set, version: answer?.has ?? 0, load })
    await threads.query('score', { set, version: current.version, load: [] })
  }
  return null
}

/** Compares a query with the vectors of some messages, which are read from the database. */
async function rank(
  { store, threads }: EmbeddingPorts,
  { model, vector }: EmbeddedQuery,
  seqs: Float64Array,
): Promise<NearMessages> {
  const rows = await vectorsOf(store.db, model, [...seqs])
  const cosines = await threads.query('rank', { vector, rows })
  const ranked = rows.flatMap(({ seq }, i) => (cosines[i] === null ? [] : [{ seq, cosine: cosines[i]! }]))
  return {
    seqs: Float64Array.from(ranked, ({ seq }) => seq),
    cosines: Float64Array.from(ranked, ({ cosine }) => cosine),
    zScores: new Float64Array(),
  }
}

/** Creates an exact search of message vectors, in a thread. */
export function createSemantics(ports: EmbeddingPorts): SemanticSearch {
  const { logger, embedders } = ports
  const embed = createQueryEmbedder(ports)

  /** Keywords alone count if semantic search fails. */
  const tried = <T>(work: Promise<T | null>, tenantId: string): Promise<T | null> =>
    work.catch((error) => {
      logger.warn({ error, tenantId }, 'a semantic search failed: keywords alone count')
      return null
    })

  return {
    isEnglish: embedders?.isBuiltIn ?? true,
    async request(tx, tenantId) {
      if (embedders) await requestEmbedding(ports, tx, tenantId, {}, embedAfterMs)
    },
    seek(scope, text) {
      if (!embedders || text === '') return null
      const embedding = tried(embed(scope, text), scope.tenantId)
      const find = async (wanted: Wanted): Promise<NearMessages | null> => {
        const query = await embedding
        if (!query) return null
        const isRanking = embedders.isBuiltIn && 'among' in wanted
        return tried(
          isRanking ? rank(ports, query, wanted.among) : scan(ports, scope, query, wanted),
          scope.tenantId,
        )
      }
      return {
        isBuiltIn: embedders.isBuiltIn,
        nearest: (limit) => find({ limit }),
        among: (among, like) => find({ among, like }),
      }
    },
  }
}
