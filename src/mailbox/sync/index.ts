/** Sources of events, and the state machine that keeps the cache in step with the log. */

export {
  type Connection,
  connect,
  createSources,
  type EmbeddedOptions,
  type RemoteOptions,
} from './connection'
export { PastMail } from './past-mail'
export { pageLimit, type SourceKind } from './source'
export { Sync, type SyncState } from './sync'
export type { SyncStatus } from './sync-machine'
