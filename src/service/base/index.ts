/** The words of every room: ids, cursors, times, refusals, loading late. */

export { beNice } from './be-nice'
export { boundedMap } from './bounded-map'
export { decodeCursor, decodeIdCursor, decodeNumbersCursor, pageOf, positionOfNumbers } from './cursor'
export { digitsOf, firstIdAt, newId, newUuid, randomDigitsOf } from './ids'
export { importInstalled } from './import-installed'
export { loadLater, loadSuffixes, once, requireHandles } from './load-later'
export { type OneThread, oneThread } from './one-thread'
export { isConflict, outageOf } from './outage'
export { notFound, refuse, refuseForNow, refuseSuspended } from './refuse'
export { createSecrets, isSameSecret, type Secrets, sha256 } from './secrets'
export { type SenderProof, senderProofOf } from './sender-proof'
export { dayMs, hourMs, minuteMs, now, systemClock, timeOf } from './time'
