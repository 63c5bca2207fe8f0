/** PostgreSQL connections: their bounds, and the queues of work that needs the same lock. */

export { createDatabaseClock, type DatabaseClock } from './clock'
export { type Bounds, connectDialect, cutOff, defaultBounds, letRunLong } from './connections'
export { createWriteQueues } from './write-queues'
