import type { Clock, Embedder, Logger } from '../../ports'
import type { Store } from '../../store'
import { createBuiltIn } from './built-in'
import { builtIn, type SearchModel } from './models'
import type { Pgvector } from './pgvector'
import type { Threads } from './threads'

/** The ports of what embeds. */
export interface EmbeddingPorts {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  readonly threads: Threads
  /** The one that the settings name; without, mail is learned from. */
  readonly endpoint: Endpoint | undefined
  /** The extension by which the database compares vectors; without it, a thread does. */
  readonly pgvector: Pgvector | undefined
}

/** An endpoint that embeds, with any of its models. */
export interface Endpoint {
  /** The embedder of new vectors. */
  readonly id: string
  /** The embedder with this id; undefined where it is of another endpoint. */
  embedder(id: string): Embedder | undefined
}

/** A model as it is to be: its embedder, and the place of its vectors. */
export type WantedModel = Pick<SearchModel, 'embedder' | 'place'>

export const wantedModel = ({
  endpoint,
  pgvector,
}: Pick<EmbeddingPorts, 'endpoint' | 'pgvector'>): WantedModel => ({
  embedder: endpoint?.id ?? builtIn,
  place: pgvector ? 'pgvector' : 'packed',
})

/** The embedder of a model; undefined where it, or the place of its vectors, is no longer to be reached. */
export function embedderOf(
  { store, threads, endpoint, pgvector }: EmbeddingPorts,
  model: SearchModel,
): Embedder | undefined {
  if (model.place === 'pgvector' && !pgvector) return undefined
  return model.embedder === builtIn
    ? createBuiltIn(store.db, threads, model)
    : endpoint?.embedder(model.embedder)
}
