import { blob, number, table, text, textOrNull } from './table'

export const host = table({
  columns: { key: text, value: text },
  key: ['key'],
})

export const blobs = table({
  /** Of large content, `hash` is the hash with the position of the row. */
  columns: { hash: text, content: blob, written_at: text },
  key: ['hash'],
  withRowId: true,
})

export const erasedBlobs = table({
  columns: { hash: text, erased_at: text },
  key: ['hash'],
})

export const blobRemovals = table({
  columns: {
    id: text,
    hash: text,
    started_at: text,
    /** Null while it is under way, and forever if it failed. */
    ended_at: textOrNull,
  },
  key: ['hash', 'id'],
})

/** Rate of a key or an address, shared by all nodes. */
export const rates = table({
  columns: {
    kind: text,
    key: text,
    /** Microseconds since 1970: when the last slice was taken, and when the rate will be full again. */
    asked_at_us: number,
    full_at_us: number,
    /** Last slice. */
    granted: number,
  },
  key: ['kind', 'key'],
})

/** Answer to a request with an `Idempotency-Key`. */
export const keptAnswers = table({
  columns: {
    tenant_id: text,
    /** Name of the operation. */
    route: text,
    /** Hash of the key, the inbox that its caller is bound to, and the operator. */
    key_hash: text,
    /** Keyed hash of the request. */
    fingerprint: text,
    /** Distinguishes the current request from an earlier one in this place. */
    token: text,
    /** JSON, encrypted: answers may hold secrets. Null while the request is in progress. */
    answer: textOrNull,
    created_at: text,
  },
  key: ['tenant_id', 'route', 'key_hash'],
  indexes: { kept_answers_by_time: '(created_at)' },
})
