/** Waits for one message: an answer, a code, a link. */

export { isSenderProven } from './wait-filter'
export { createWaits, type NextReplyOptions, type WaitPredicate, type Waits } from './waits'
