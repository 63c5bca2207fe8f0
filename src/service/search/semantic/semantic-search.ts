import type { Transaction } from 'kysely'
import type { Database } from '../../store/tables'

/** The mail that may be found: what is beyond is neither looked at nor counted. */
export interface SemanticScope {
  readonly tenantId: string
  /** The only inboxes; all of the account without them. */
  readonly inboxIds?: ReadonlySet<string> | null
  /** The inbox beyond which the key reaches nothing: then nothing may tell of other mail either. */
  readonly keyInboxId?: string | null
  /** The number of messages that may be found, as far as it is known: the more, the less what was learned tells apart. */
  readonly messages?: number
  /** The last `created_seq` that counts, so that the pages of a search stay as they are while mail comes in. */
  readonly toSeq?: number | undefined
}

/** Messages that mean something like what was asked, each with its place in the columns. */
export interface SemanticHits {
  /** The `created_seq` of each. */
  readonly seqs: Float64Array
  /** The more alike the higher, at most 1. */
  readonly scores: Float64Array
  /**
   * From 0 to 1: what a short message means is less sure, and so is all that was learned where there are many messages
   * for each direction that is told apart; words count the more.
   */
  readonly confidences: Float64Array
  /** True where the mail itself taught what words mean, which is less sure than what an endpoint says. */
  readonly isLearned: boolean
}

/** The meaning of a text, to be compared with that of messages. */
export interface Sought {
  /** The messages nearest in meaning, the nearest first; null where that cannot be told any more. */
  nearest(limit: number): Promise<SemanticHits | null>
  /**
   * Scores some messages, by their `created_seq`, each once: those that mean the same as some that are probably meant come nearer.
   *
   * @param like The `created_seq` of those.
   */
  among(seqs: Float64Array, like: readonly number[]): Promise<SemanticHits | null>
}

/** Finds messages by what they mean, whatever their words. */
export interface SemanticSearch {
  /** Makes out what a text means; null where that cannot be told: there is too little mail, or nothing that embeds it. */
  seek(scope: SemanticScope, text: string): Promise<Sought | null>
  /** Asks for the messages of an account that have come to be embedded; false where it has too few to mean anything. */
  request(tx: Transaction<Database>, tenantId: string): Promise<boolean>
}

/** Tells nothing, so that words alone count. */
export const noSemantics: SemanticSearch = {
  seek: async () => null,
  request: async () => false,
}
