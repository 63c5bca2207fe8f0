/** The word index: its rows, how they are built, and how they are read. */

export { type Block, type Entry, entriesOf, findEntry } from './block'
export { buildBlocks } from './build'
export { type Documents, documentsOf, gone, type NewDocument } from './documents'
export { forgetDocuments } from './forget'
export { inRow } from './in-row'
export { holdAccount, lockIndex } from './lock'
export { mergeSegments } from './merging'
export { atOnce, inSlices, type Pause, type Steps, sliceMs, withPauses } from './pauses'
export { fanIn } from './plan-merge'
export {
  addBeginning,
  addWeights,
  noPostings,
  type Postings,
  readPositions,
  readPostings,
} from './postings'
export { purgeSegments } from './purging'
export {
  blocksOfBeginning,
  blocksOfTerms,
  documentsOfSegments,
  insertBlocks,
  insertSegment,
  type Segment,
  selectSegments,
} from './rows'
