/** Queries that stay true while mail comes in. */

export { createLiveHub, type LiveHub } from './live-hub'
export { liveDrafts, liveMessages, liveThreads } from './live-lists'
export type { LiveQuery } from './live-query'
