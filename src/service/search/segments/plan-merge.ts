import type { Segment } from './rows'

/** So many segments of a size become one; where more wait, more at once, so that each is merged fewer times. */
export const fanIn = 8
const maxParts = 64
/** A segment that is to be merged no more, and the most that a merge makes. */
const largeDocuments = 8_192
const maxDocuments = 16_384

const tierOf = ({ documents }: Pick<Segment, 'documents'>) =>
  Math.floor(Math.log2(documents) / Math.log2(fanIn))

/** Plans the next merges, each of segments of about the same size; none where there are few enough of each size. */
export function planMerges<One extends Pick<Segment, 'documents'>>(segments: readonly One[]): One[][] {
  const tiers: One[][] = []
  for (const segment of segments) {
    if (segment.documents >= largeDocuments) continue
    tiers[tierOf(segment)] ??= []
    tiers[tierOf(segment)]!.push(segment)
  }
  const same = tiers.find((tier) => tier && tier.length >= fanIn)
  return same ? groupsOf(same) : []
}

/** As many at a time as make no segment that is too large. */
function groupsOf<One extends Pick<Segment, 'documents'>>(same: readonly One[]): One[][] {
  const groups: One[][] = []
  for (let at = 0; same.length - at >= fanIn; ) {
    const chosen: One[] = []
    let documents = 0
    for (const segment of same.slice(at, at + maxParts)) {
      documents += segment.documents
      if (documents > maxDocuments) break
      chosen.push(segment)
    }
    groups.push(chosen)
    at += chosen.length
  }
  return groups
}
