import type { Matches } from './keyword'

/** A place in the results: better ones first, newer ones first among equals. */
export interface Place {
  readonly score: number
  readonly seq: number
}

/** A result. */
export interface Found extends Place {
  readonly open: number
}

const isBetter = (score: number, seq: number, thanScore: number, thanSeq: number) =>
  score > thanScore || (score === thanScore && seq > thanSeq)

/**
 * The best results so far, as a heap in columns: the worst is at the top, and is replaced by a better one.
 */
class Best {
  readonly #scores: Float64Array
  readonly #seqs: Float64Array
  readonly #open: Uint32Array
  #size = 0

  constructor(limit: number) {
    this.#scores = new Float64Array(limit)
    this.#seqs = new Float64Array(limit)
    this.#open = new Uint32Array(limit)
  }

  get isFull(): boolean {
    return this.#size === this.#scores.length
  }

  get worst(): Place {
    return { score: this.#scores[0]!, seq: this.#seqs[0]! }
  }

  add(score: number, seq: number, open: number): void {
    const at = this.isFull ? this.#sink(score, seq) : this.#rise(this.#size++, score, seq)
    this.#scores[at] = score
    this.#seqs[at] = seq
    this.#open[at] = open
  }

  /** Finds the place of a new entry, moving worse parents down from the end. */
  #rise(end: number, score: number, seq: number): number {
    let at = end
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#isBetter(score, seq, parent)) break
      this.#move(parent, at)
      at = parent
    }
    return at
  }

  /** Replaces the worst: finds the place of a new entry, moving children up from the top. */
  #sink(score: number, seq: number): number {
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child + 1 < this.#size && this.#isBetter(this.#scores[child]!, this.#seqs[child]!, child + 1))
        child++
      if (child >= this.#size || !this.#isBetter(score, seq, child)) return at
      this.#move(child, at)
      at = child
    }
  }

  #isBetter(score: number, seq: number, than: number): boolean {
    return isBetter(score, seq, this.#scores[than]!, this.#seqs[than]!)
  }

  #move(from: number, to: number): void {
    this.#scores[to] = this.#scores[from]!
    this.#seqs[to] = this.#seqs[from]!
    this.#open[to] = this.#open[from]!
  }

  /** Returns all results, best first. */
  inOrder(): Found[] {
    const places = Uint32Array.from({ length: this.#size }, (_, i) => i)
    const sorted = places.sort((one, other) =>
      this.#isBetter(this.#scores[one]!, this.#seqs[one]!, other) ? -1 : 1,
    )
    return Array.from(sorted, (i) => ({
      score: this.#scores[i]!,
      seq: this.#seqs[i]!,
      open: this.#open[i]!,
    }))
  }
}

/** Returns the best matches after a place, up to `limit`, best first. */
export function bestOf({ parts, least }: Matches, limit: number, after?: Place): Found[] {
  const best = new Best(limit)
  let [worstScore, worstSeq] = [least, 0]
  // Newest first: among many equal scores, few later ones are better.
  for (const { seqs, scores, allowed, open } of parts.toReversed()) {
    for (let i = scores.length - 1; i >= 0; i--) {
      const score = scores[i]!
      if (score < worstScore || score === least) continue
      const seq = seqs[i]!
      if (!isBetter(score, seq, worstScore, worstSeq) || allowed?.[i] === 0) continue
      if (after && !isBetter(after.score, after.seq, score, seq)) continue
      best.add(score, seq, open?.[i] ?? 0)
      if (best.isFull) ({ score: worstScore, seq: worstSeq } = best.worst)
    }
  }
  return best.inOrder()
}
