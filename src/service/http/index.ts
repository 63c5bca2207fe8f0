/** HTTP: one table of handlers behind the routes of the protocol. */

export { createApp, healthOf } from './app'
export { codingFor } from './compress'
export { dropKeptAnswers } from './idempotency-key'
export { closeServer, listenHttp, portError, shownHost } from './listen'
export { admitSocket } from './operator'
export type { HttpPorts } from './ports'
export { rawRefusal } from './raw-refusal'
export { RequestLimiter } from './request-limiter'
