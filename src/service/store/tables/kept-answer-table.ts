/** Answer to a request with an `Idempotency-Key`. */
export interface KeptAnswerTable {
  tenant_id: string
  /** Name of the operation. */
  route: string
  /** Hash of the key, the inbox that its caller is bound to, and the operator. */
  key_hash: string
  /** Keyed hash of the request. */
  fingerprint: string
  /** Distinguishes the current request from an earlier one in this place. */
  token: string
  /** JSON, encrypted: answers may hold secrets. Null while the request is in progress. */
  answer: string | null
  created_at: string
}
