import type { Matches } from './keyword'

/** A place in what was found: the better first, the newer first among equals. */
export interface Place {
  readonly score: number
  readonly seq: number
}

/** Something that was found, by its index. */
export interface Found extends Place {
  readonly open: number
}

const isBetter = (one: Place, other: Place) =>
  one.score > other.score || (one.score === other.score && one.seq > other.seq)

/** Keeps the heap in order from `at` downwards: the worst is at the top. */
function sink(heap: Found[], at: number): void {
  for (let parent = at; ; ) {
    let worst = parent
    for (const child of [2 * parent + 1, 2 * parent + 2])
      if (child < heap.length && isBetter(heap[worst]!, heap[child]!)) worst = child
    if (worst === parent) return
    ;[heap[parent], heap[worst]] = [heap[worst]!, heap[parent]!]
    parent = worst
  }
}

/** The best of what was found, so many of those behind a place, the best first. */
export function bestOf({ count, seqs, scores, open }: Matches, limit: number, after?: Place): Found[] {
  const heap: Found[] = []
  for (let i = 0; i < count; i++) {
    const score = scores[i]!
    if (heap.length === limit && score < heap[0]!.score) continue
    const found = { score, seq: seqs[i]!, open: open[i]! }
    if (after && !isBetter(after, found)) continue
    if (heap.length < limit) {
      heap.push(found)
      if (heap.length === limit) for (let at = limit >> 1; at >= 0; at--) sink(heap, at)
    } else if (isBetter(found, heap[0]!)) {
      heap[0] = found
      sink(heap, 0)
    }
  }
  return heap.sort((one, other) => (isBetter(one, other) ? -1 : 1))
}
