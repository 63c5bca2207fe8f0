import type { Segment } from './rows'

/**
 * Number of segments of a size that are merged; if more wait, more at once, so that each is merged fewer
 * times.
 */
export const fanIn = 8
const maxParts = 64
/** Size from which a segment is not merged, and maximum size of a merge. */
const largeDocuments = 8_192
const maxDocuments = 16_384

const tierOf = ({ documents }: Pick<Segment, 'documents'>) =>
  Math.floor(Math.log2(documents) / Math.log2(fanIn))

/** Plans the next merges, each of segments of about the same size; none if each size has few. */
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

/** Groups segments so that no merged one is too large. */
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
