/** Basics of every module: ids, cursors, times, refusals, lazy loading. */

export { beNice } from './be-nice'
export { boundedMap } from './bounded-map'
export { decodeCursor, decodeIdCursor, decodeNumbersCursor, pageOf, positionOfNumbers } from './cursor'
export { digitsOf, firstIdAt, newId, newUuid, randomDigitsOf } from './ids'
export { importInstalled } from './import-installed'
export { loadLater, loadSuffixes, once, requireHandles } from './load-later'
export { type OneThread, oneThread } from './one-thread'
export { isConflict, outageOf } from './outage'
export { notFound, refuse, refuseForNow, refuseMethod, refuseSuspended } from './refuse'
export { createSecrets, isSameSecret, type Secrets, sha256 } from './secrets'
export {
  administrator,
  narrowEvent,
  narrowSenders,
  type StoredSender,
  seesNames,
  senderColumn,
  senderFields,
  storedSender,
} from './sender'
export {
  isJudgedSender,
  type JudgedSender,
  type SenderProof,
  senderProofOf,
  storedAuthentication,
} from './sender-proof'
export { Slots } from './slots'
export { dayMs, hourMs, minuteMs, now, systemClock, timeOf } from './time'
export { holdsPassword } from './url-password'
