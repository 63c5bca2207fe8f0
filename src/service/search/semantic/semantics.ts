import type { Kysely } from 'kysely'
import { boundedMap } from '../../base'
import type { Embedding, Signals } from '../../ports'
import type { Database } from '../../store/tables'
import { documentsEach } from '../lsa'
import { type EmbeddingPorts, embedderOf } from './embedders'
import { allModels, builtIn, type MailScope, type SearchModel } from './models'
import { nearestRows } from './pgvector'
import { embedAfterMs, embeddingsTopic, isEnough, requestEmbedding } from './request-embedding'
import type { NearMessages } from './scan'
import type { SemanticHits, SemanticScope, SemanticSearch } from './semantic-search'
import type { Wanted } from './thread'
import { blocksSince } from './vectors'

/** Time in ms after which a search's request to the embedder is aborted. */
const embedTimeoutMs = 3_000
const maxKnownQueries = 500
/** Tries to read vectors that change meanwhile, which is rare even once. */
const maxAttempts = 5

/**
 * Returns how well a model distinguishes messages, from 0 to 1: for a learned one, its dimensions suffice for
 * few messages, and ever less for more.
 */
const reachOf = ({ embedder, learned }: SearchModel, dimensions: number, messages: number): number =>
  embedder === builtIn ? Math.min(1, (documentsEach * dimensions) / Math.max(1, learned, messages)) : 1

async function hasOtherInboxes(db: Kysely<Database>, tenantId: string, inboxId: string): Promise<boolean> {
  const row = await db
    .selectFrom('inboxes')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '!=', inboxId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

function surely(found: NearMessages, model: SearchModel, dimensions: number, messages = 0): SemanticHits {
  const reach = reachOf(model, dimensions, messages)
  const confidences = found.confidences.map((confidence) => confidence * reach)
  return { ...found, confidences, isLearned: model.embedder === builtIn }
}

/** A query with its embedding by a model. */
interface Begun {
  readonly model: SearchModel
  readonly embedding: Embedding
}

/** Creates an exact search of message vectors, in a thread or in the database. */
export function createSemantics(ports: EmbeddingPorts & { readonly signals: Signals }): SemanticSearch {
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

  /** Requests a model for an inbox that has enough messages and no model. */
  async function requestModel(mail: MailScope, hasOne: boolean): Promise<undefined> {
    if (hasOne || ports.endpoint || !(await isEnough(store.db, mail, ports))) return
    await store.write((tx) =>
      requestEmbedding(ports, tx, mail.tenant_id, { inbox_id: mail.inbox_id ?? undefined }),
    )
    ports.signals.publish(embeddingsTopic)
  }

  /**
   * Returns the searched model. A model of all messages would reveal words of other inboxes to a key of one
   * inbox. That key has a model of its inbox alone, which is created on first use.
   */
  async function modelFor({ tenantId, keyInboxId }: SemanticScope): Promise<SearchModel | undefined> {
    const models = await allModels(store.db, tenantId)
    const currentOf = (inboxId: string | null) =>
      models.find(({ inbox_id, state }) => inbox_id === inboxId && state === 'current')
    const ofAll = currentOf(null)
    if (!keyInboxId || (ofAll && ofAll.embedder !== builtIn)) return ofAll
    if (!(await hasOtherInboxes(store.db, tenantId, keyInboxId))) return ofAll
    const hasOne = models.some(({ inbox_id }) => inbox_id === keyInboxId)
    const mail = { tenant_id: tenantId, inbox_id: keyInboxId }
    return currentOf(keyInboxId) ?? (await requestModel(mail, hasOne))
  }

  async function ask(where: SemanticScope, { model, embedding }: Begun, wanted: Wanted) {
    const { id } = model
    const { inboxIds, toSeq } = where
    const scope = { inboxIds: inboxIds ? [...inboxIds] : null, toSeq: toSeq ?? Number.MAX_SAFE_INTEGER }
    const asked = { scope, vector: embedding.vector, wanted }
    if (model.place === 'pgvector') return nearestRows(store.db, ports.pgvector!, model, asked)
    let current: SearchModel | undefined = model
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      if (current?.id !== id) return null
      const { version } = current
      const answer = await threads.search('nearest', { set: id, version, ...asked })
      if (!('has' in answer)) return answer
      current = await modelFor(where)
      if (current?.id !== id) return null
      const blocks = await blocksSince(store.db, current, answer.has)
      await threads.search('load', { set: id, version: current.version, blocks })
    }
    return null
  }

  async function begin(where: SemanticScope, text: string): Promise<Begun | null> {
    const model = await modelFor(where)
    const embedding = model && (await embedQuery(model, text))
    return embedding?.vector.some((value) => value !== 0) ? { model: model!, embedding } : null
  }

  async function find(where: SemanticScope, text: string, first: Begun, wanted: Wanted) {
    let begun: Begun | null = first
    for (let attempt = 0; begun && attempt < maxAttempts; attempt++) {
      const answer = await ask(where, begun, wanted)
      if (answer) return surely(answer, begun.model, begun.embedding.vector.length, where.messages)
      // Another model has replaced this one.
      begun = await begin(where, text)
    }
    return null
  }

  /** Keywords alone count if semantic search fails. */
  const tried = <T>(work: Promise<T | null>, tenantId: string): Promise<T | null> =>
    work.catch((error) => {
      logger.warn({ error, tenantId }, 'a search by meaning failed: words alone count')
      return null
    })

  return {
    async request(tx, tenantId) {
      if (!(await isEnough(tx, { tenant_id: tenantId, inbox_id: null }, ports))) return false
      await requestEmbedding(ports, tx, tenantId, {}, embedAfterMs)
      return true
    },
    async seek(scope, text) {
      const { tenantId } = scope
      const begun = await tried(begin(scope, text), tenantId)
      if (!begun) return null
      const ask = (wanted: Wanted) => tried(find(scope, text, begun, wanted), tenantId)
      return { nearest: (limit) => ask({ limit }), among: (among, like) => ask({ among, like }) }
    },
  }
}
