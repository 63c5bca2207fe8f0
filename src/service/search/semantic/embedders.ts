import type { Clock, Embedder, Logger } from '../../ports'
import type { Store } from '../../store'
import { createBuiltIn } from './built-in'
import { builtIn, type SearchModel } from './models'
import type { Pgvector } from './pgvector'
import type { Threads } from './threads'

/** Ports of embedders. */
export interface EmbeddingPorts {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  readonly threads: Threads
  /** Endpoint of the settings; without one, models are learned. */
  readonly endpoint: Endpoint | undefined
  /** Extension by which the database compares vectors; without it, a thread does. */
  readonly pgvector: Pgvector | undefined
}

/** An endpoint that embeds, with any of its models. */
export interface Endpoint {
  /** Embedder of new vectors. */
  readonly id: string
  /** Returns the embedder with this id; undefined if it belongs to another endpoint. */
  embedder(id: string): Embedder | undefined
}

/** A wanted model: its embedder, and the place of its vectors. */
export type WantedModel = Pick<SearchModel, 'embedder' | 'place'>

export const wantedModel = ({
  endpoint,
  pgvector,
}: Pick<EmbeddingPorts, 'endpoint' | 'pgvector'>): WantedModel => ({
  embedder: endpoint?.id ?? builtIn,
  place: pgvector ? 'pgvector' : 'packed',
})

/** Returns the embedder of a model; undefined if it, or the place of its vectors, is unavailable. */
export function embedderOf(
  { store, threads, endpoint, pgvector }: EmbeddingPorts,
  model: SearchModel,
): Embedder | undefined {
  if (model.place === 'pgvector' && !pgvector) return undefined
  return model.embedder === builtIn
    ? createBuiltIn(store.db, threads, model)
    : endpoint?.embedder(model.embedder)
}
