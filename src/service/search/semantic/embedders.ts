import type { Clock, Embedder, Logger } from '../../ports'
import type { Store } from '../../store/store'
import type { SearchModel } from './models'
import type { SearchThreads } from './threads'

/** Embedders of one kind: an endpoint with any of its models, a user's own, or the built-in encoder. */
export interface Embedders {
  /** Id of the embedder of new vectors. */
  readonly id: string
  /**
   * True for the built-in encoder. It embeds passages of English text in a thread of this process, and ranks
   * what words have found. Others embed whole messages, and find messages without the words of a query.
   */
  readonly isBuiltIn: boolean
  /** Returns the embedder with this id; undefined if it is another kind's. */
  embedder(id: string): Embedder | undefined
}

/** Ports of embedding. */
export interface EmbeddingPorts {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  readonly threads: SearchThreads
  /** Undefined if embeddings are off. */
  readonly embedders: Embedders | undefined
}

/** Returns the embedder of a model; undefined if it is unavailable. */
export const embedderOf = (
  { embedders }: EmbeddingPorts,
  model: SearchModel | undefined,
): Embedder | undefined => model && embedders?.embedder(model.embedder)
