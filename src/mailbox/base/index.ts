/** Shared parts of the mailbox: failures, bytes, leases of consumers, options of waits. */

export { checkChoice, checkOptions, type OptionNames } from '../../protocol/options'
export { BoundedMap } from './bounded-map'
export { chunksOf, decodeBase64, encodeBase64, joinChunks, randomId } from './bytes'
export { Lease, type Settlement, type Settler, type Taker } from './consumer-lease'
export { asRestanteError, deleted } from './failures'
export { loadLater } from './load-later'
export { type ListedPage, type Listing, listing, type Page } from './pages'
export type { Wait, WaitFilter, WaitOptions } from './wait-options'
export { wireTime } from './wire-time'
