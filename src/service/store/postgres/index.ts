/** Connections of PostgreSQL: their bounds, and the queues of what needs the same lock. */

export { createDatabaseClock, type DatabaseClock } from './clock'
export { type Bounds, connectDialect, cutOff, defaultBounds, letRunLong } from './connections'
export { createWriteQueues } from './write-queues'
