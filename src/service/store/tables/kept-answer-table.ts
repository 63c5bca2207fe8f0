/** The answer to a request with an `Idempotency-Key`. */
export interface KeptAnswerTable {
  tenant_id: string
  /** The name of the operation. */
  route: string
  /** Hash of the key, of the inbox that its caller is bound to, and of the operator. */
  key_hash: string
  /** Keyed hash of the request. */
  fingerprint: string
  /** Tells the request that has the place from one that had it before. */
  token: string
  /** JSON, encrypted: answers may hold secrets. Null while the request is in progress. */
  answer: string | null
  created_at: string
}
