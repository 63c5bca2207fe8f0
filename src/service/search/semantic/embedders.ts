import type { Clock, Embedder, Logger } from '../../ports'
import type { Store } from '../../store'
import { createBuiltIn } from './built-in'
import { builtIn, type SearchModel } from './models'
import type { Threads } from './threads'

/** The ports of what embeds. */
export interface EmbeddingPorts {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  readonly threads: Threads
  /** The one that the settings name; without, mail is learned from. */
  readonly endpoint: Endpoint | undefined
}

/** An endpoint that embeds, with any of its models. */
export interface Endpoint {
  /** The embedder of new vectors. */
  readonly id: string
  /** The embedder with this id; undefined where it is of another endpoint. */
  embedder(id: string): Embedder | undefined
}

/** The embedder that vectors are to be of. */
export const wantedEmbedder = ({ endpoint }: Pick<EmbeddingPorts, 'endpoint'>): string =>
  endpoint?.id ?? builtIn

/** The embedder of a model; undefined where it is no longer to be reached. */
export const embedderOf = (
  { store, threads, endpoint }: EmbeddingPorts,
  model: SearchModel,
): Embedder | undefined =>
  model.embedder === builtIn ? createBuiltIn(store.db, threads, model) : endpoint?.embedder(model.embedder)
