import { boundedMap } from '../../base'
import type { Embedding } from '../../ports'
import { documentsEach } from '../lsa'
import { type EmbeddingPorts, embedderOf } from './embedders'
import { builtIn, modelsOf, type SearchModel } from './models'
import { nearestRows } from './pgvector'
import { isEnough, requestEmbedding } from './request-embedding'
import type { NearMessage, ScanScope } from './scan'
import type { SemanticScope, SemanticSearch } from './semantic-search'
import type { Wanted } from './thread'
import { blocksSince } from './vectors'

/** Who searches waits no longer for what embeds it. */
const embedTimeoutMs = 3_000
const maxKnownQueries = 500
/** Vectors change while they are read; that they do so again and again is unheard of. */
const maxAttempts = 5

/**
 * Tells how far what was learned from mail tells one message from another, from 0 to 1: as many directions as there are do
 * for few messages, and the less the more there are.
 */
const reachOf = ({ embedder, learned }: SearchModel, dimensions: number): number =>
  embedder === builtIn ? Math.min(1, Math.sqrt((documentsEach * dimensions) / Math.max(1, learned))) : 1

const surely = (found: readonly NearMessage[], reach: number): NearMessage[] =>
  found.map((one) => ({ ...one, confidence: one.confidence * reach }))

/** Searches the vectors of messages exactly, by looking at each: in a thread, or in the database. */
export function createSemantics(ports: EmbeddingPorts): SemanticSearch {
  const { store, threads, logger } = ports
  const knownQueries = boundedMap<Embedding>(maxKnownQueries)

  async function embedQuery(model: SearchModel, text: string): Promise<Embedding | null> {
    const key = `${model.id} ${model.revision} ${text}`
    const known = knownQueries.get(key)
    if (known) return known
    const embedder = embedderOf(ports, model)
    if (!embedder) return null
    const [embedding] = await embedder.embed([text], 'query', AbortSignal.timeout(embedTimeoutMs))
    if (embedding) knownQueries.set(key, embedding)
    return embedding ?? null
  }

  async function ask(
    tenantId: string,
    model: SearchModel,
    asked: { scope: ScanScope; vector: Float32Array; wanted: Wanted },
  ) {
    const { id } = model
    if (model.place === 'pgvector') return nearestRows(store.db, ports.pgvector!, model, asked)
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const { current } = await modelsOf(store.db, tenantId)
      if (current?.id !== id) return null
      const { version } = current
      const answer = await threads.search('nearest', { set: id, version, ...asked })
      if (!('has' in answer)) return answer
      const blocks = await blocksSince(store.db, current, answer.has)
      await threads.search('load', { set: id, version, blocks })
    }
    return null
  }

  async function find({ tenantId, inboxIds, toSeq }: SemanticScope, text: string, wanted: Wanted) {
    const scope = { inboxIds: inboxIds ? [...inboxIds] : null, toSeq: toSeq ?? Number.MAX_SAFE_INTEGER }
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const { current } = await modelsOf(store.db, tenantId)
      const embedding = current && (await embedQuery(current, text))
      if (!embedding?.vector.some((value) => value !== 0)) return null
      const answer = await ask(tenantId, current!, { scope, vector: embedding.vector, wanted })
      // Else another model has come into the place of this one.
      if (answer) return surely(answer, reachOf(current!, embedding.vector.length))
    }
    return null
  }

  const search = (scope: SemanticScope, text: string, wanted: Wanted) =>
    find(scope, text, wanted).catch((error) => {
      logger.warn({ error, tenantId: scope.tenantId }, 'a search by meaning failed: words alone count')
      return null
    })

  return {
    async request(tx, tenantId) {
      if (!(await isEnough(tx, tenantId, ports))) return false
      await requestEmbedding(ports, tx, tenantId)
      return true
    },
    search: (scope, text, limit) => search(scope, text, { limit }),
    searchAmong: (scope, text, among, like) => search(scope, text, { among, like }),
  }
}
