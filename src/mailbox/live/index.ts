/** Live queries: lists that follow incoming changes. */

export { createLiveHub, type LiveHub } from './live-hub'
export { liveDrafts, liveMessages, liveThreads } from './live-lists'
export type { LiveQuery } from './live-query'
