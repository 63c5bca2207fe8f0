/** Event log of an account: changes, cursors, signals, and the registry of handlers that act on a change. */

export { changeAccount } from './change'
export {
  awaitLog,
  insertEvents,
  type LogFilter,
  type LogPage,
  logHead,
  logTail,
  logTopic,
  passes,
  readLog,
} from './event-log'
export { createLocalSignals } from './local-signals'
export { beginLogEpoch, epochOf, type LogEpoch } from './log-epoch'
export { dropOldPartitions, isGone, lateMs, makePartitions } from './log-partitions'
export { Lookout } from './lookout'
export { createNatsSignals } from './nats-signals'
export { pollUntil } from './poll-until'
export { createPoller, type Poller, pollEveryMs } from './poller'
export type { LogPorts, NodeSignals } from './ports'
export { createPostgresSignals } from './postgres-signals'
export {
  type ChangeContext,
  type CheckContext,
  type EventRecord,
  Registry,
  type ToldMessage,
} from './registry'
