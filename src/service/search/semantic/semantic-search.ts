import type { Transaction } from 'kysely'
import type { Database } from '../../store/tables/schema'
import type { NearMessages } from './scan'

/** Messages in scope of a search: others are neither read nor counted. */
export interface SemanticScope {
  readonly tenantId: string
  /** The only inboxes; all of the account by default. */
  readonly inboxIds?: ReadonlySet<string> | null
  /** Last `created_seq` in scope, so that pages of a search stay unchanged while messages arrive. */
  readonly toSeq?: number | undefined
}

/** Query that is being embedded, to be compared with messages. Null if that is impossible. */
export interface SemanticQuery {
  /** True for the built-in encoder, which ranks only what words have found. */
  readonly isBuiltIn: boolean
  /** Returns the nearest messages in scope, nearest first. */
  nearest(limit: number): Promise<NearMessages | null>
  /**
   * Scores some messages, by their `created_seq`, with the query moved towards relevant ones.
   *
   * @param like `created_seq` of the relevant ones, which the built-in encoder ignores.
   */
  among(seqs: Float64Array, like: readonly number[]): Promise<NearMessages | null>
}

/** Search of messages by embedding. */
export interface SemanticSearch {
  /** True if only the built-in encoder, which knows English, or nothing embeds. */
  readonly isEnglish: boolean
  /** Starts to embed a query; null if embeddings are off. */
  seek(scope: SemanticScope, text: string): SemanticQuery | null
  /** Requests embedding of an account's new messages. */
  request(tx: Transaction<Database>, tenantId: string): Promise<void>
}

/** Semantic search that finds nothing, so that only keywords count. */
export const noSemantics: SemanticSearch = {
  isEnglish: true,
  seek: () => null,
  request: async () => {},
}
