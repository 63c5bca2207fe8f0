/** Documents of a segment, by number. */
export interface Documents {
  /** Log position of each message, unique in the account. */
  readonly seqs: Float64Array
  /** Number of words of each; {@link gone} if it was deleted. */
  readonly lengths: Uint16Array
  /** Inbox of each, by its number in `inboxIds`. */
  readonly inboxes: Uint16Array
  readonly inboxIds: readonly string[]
}

/** Length that marks a deleted document. */
export const gone = 0xffff
const maxLength = gone - 1

/** Documents as the columns of a row. */
export interface DocumentColumns {
  seqs: Uint8Array
  lengths: Uint8Array
  inboxes: Uint8Array
  inbox_ids: string
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array | Uint16Array) =>
  new Uint8Array(buffer, byteOffset, byteLength)

export const documentColumns = ({ seqs, lengths, inboxes, inboxIds }: Documents): DocumentColumns => ({
  seqs: bytesOf(seqs),
  lengths: bytesOf(lengths),
  inboxes: bytesOf(inboxes),
  inbox_ids: JSON.stringify(inboxIds),
})

/** Reads the columns, copied for alignment. */
export const readDocuments = ({ seqs, lengths, inboxes, inbox_ids }: DocumentColumns): Documents => ({
  seqs: new Float64Array(Uint8Array.from(seqs).buffer),
  lengths: new Uint16Array(Uint8Array.from(lengths).buffer),
  inboxes: new Uint16Array(Uint8Array.from(inboxes).buffer),
  inboxIds: JSON.parse(inbox_ids) as string[],
})

/** A document to add. */
export interface NewDocument {
  readonly seq: number
  readonly inboxId: string
  readonly length: number
}

export function documentsOf(all: readonly NewDocument[]): Documents {
  const inboxIds = [...new Set(all.map(({ inboxId }) => inboxId))]
  return {
    seqs: Float64Array.from(all, ({ seq }) => seq),
    lengths: Uint16Array.from(all, ({ length }) => Math.min(length, maxLength)),
    inboxes: Uint16Array.from(all, ({ inboxId }) => inboxIds.indexOf(inboxId)),
    inboxIds,
  }
}

/** Concatenates the documents of several segments. */
export function joinDocuments(parts: readonly Documents[]): Documents {
  const inboxIds = [...new Set(parts.flatMap((part) => part.inboxIds))]
  const count = parts.reduce((sum, { seqs }) => sum + seqs.length, 0)
  const joined = {
    seqs: new Float64Array(count),
    lengths: new Uint16Array(count),
    inboxes: new Uint16Array(count),
    inboxIds,
  }
  let base = 0
  for (const part of parts) {
    joined.seqs.set(part.seqs, base)
    joined.lengths.set(part.lengths, base)
    const places = part.inboxIds.map((id) => inboxIds.indexOf(id))
    for (let i = 0; i < part.inboxes.length; i++) joined.inboxes[base + i] = places[part.inboxes[i]!]!
    base += part.seqs.length
  }
  return joined
}
