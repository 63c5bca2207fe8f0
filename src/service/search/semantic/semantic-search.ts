/** The mail that may be found: what is beyond is neither looked at nor counted. */
export interface SemanticScope {
  readonly tenantId: string
  /** The only inboxes; all of the account without them. */
  readonly inboxIds?: readonly string[] | null
  /** The last `created_seq` that counts, so that the pages of a search stay as they are while mail comes in. */
  readonly toSeq?: number | undefined
}

/** A message that means something like what was asked. */
export interface SemanticHit {
  readonly messageId: string
  /** The more alike the higher, at most 1. */
  readonly score: number
}

/** Finds messages by what they mean, whatever their words. */
export interface SemanticSearch {
  /**
   * The messages nearest in meaning, the nearest first; null where that cannot be told: there is too little mail, or
   * nothing that embeds it.
   */
  search(scope: SemanticScope, text: string, limit: number): Promise<SemanticHit[] | null>
}

/** Tells nothing, so that words alone count. */
export const noSemantics: SemanticSearch = { search: async () => null }
