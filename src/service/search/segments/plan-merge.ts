import type { Segment } from './rows'

/** So many segments of a size become one. */
const fanIn = 8
/** A segment that is to be merged no more, and the most that a merge makes. */
const largeDocuments = 8_192
const maxDocuments = 16_384

const tierOf = ({ documents }: Pick<Segment, 'documents'>) =>
  Math.floor(Math.log2(documents) / Math.log2(fanIn))

/** The segments to be merged next, of about the same size; null where there are few enough of each. */
export function planMerge<One extends Pick<Segment, 'documents'>>(segments: readonly One[]): One[] | null {
  const byTier = new Map<number, One[]>()
  for (const segment of segments)
    if (segment.documents < largeDocuments)
      byTier.set(tierOf(segment), [...(byTier.get(tierOf(segment)) ?? []), segment])
  for (const tier of [...byTier.keys()].sort((one, other) => one - other)) {
    const same = byTier.get(tier)!
    if (same.length < fanIn) continue
    const chosen: One[] = []
    let documents = 0
    for (const segment of same.slice(0, fanIn)) {
      documents += segment.documents
      if (documents > maxDocuments) break
      chosen.push(segment)
    }
    return chosen
  }
  return null
}
