import type { Transaction } from 'kysely'
import type { Database } from '../../store/tables'

/** Messages in scope of a search: others are neither read nor counted. */
export interface SemanticScope {
  readonly tenantId: string
  /** The only inboxes; all of the account by default. */
  readonly inboxIds?: ReadonlySet<string> | null
  /** The only inbox of the key: then nothing may reveal other messages either. */
  readonly keyInboxId?: string | null
  /**
   * Number of messages in scope, if known: the more there are, the less a learned model distinguishes them.
   */
  readonly messages?: number
  /** Last `created_seq` in scope, so that pages of a search stay unchanged while messages arrive. */
  readonly toSeq?: number | undefined
}

/** Semantically similar messages, in columns. */
export interface SemanticHits {
  /** `created_seq` of each. */
  readonly seqs: Float64Array
  /** Similarity, at most 1. */
  readonly scores: Float64Array
  /**
   * From 0 to 1: lower for a short message, and for all messages of a learned model if there are many per
   * dimension. Then keywords count more.
   */
  readonly confidences: Float64Array
  /** True for a model learned from the messages, which is less sure than an endpoint. */
  readonly isLearned: boolean
}

/** Embedded query, to be compared with messages. */
export interface Sought {
  /** Returns the nearest messages, nearest first; null if that is no longer possible. */
  nearest(limit: number): Promise<SemanticHits | null>
  /**
   * Scores some messages, by their `created_seq`, each once, with the query moved towards relevant ones.
   *
   * @param like `created_seq` of the relevant ones.
   */
  among(seqs: Float64Array, like: readonly number[]): Promise<SemanticHits | null>
}

/** Search of messages by embedding, independent of their words. */
export interface SemanticSearch {
  /** Embeds a query; null if this is impossible: there are too few messages, or no embedder. */
  seek(scope: SemanticScope, text: string): Promise<Sought | null>
  /** Requests embedding of an account's new messages; returns false if it has too few. */
  request(tx: Transaction<Database>, tenantId: string): Promise<boolean>
}

/** Semantic search that finds nothing, so that only keywords count. */
export const noSemantics: SemanticSearch = {
  seek: async () => null,
  request: async () => false,
}
