import type { Clock } from './clock'
import type { EmbeddedOptions, RemoteOptions } from './connection'
import type { SourceKind } from './source'
import type { SyncState } from './sync'

/** What every mailbox takes. */
export interface MailboxSettings {
  /** Id or address of the one inbox to read. Default: all that the key may read. */
  inbox?: string
  /** Ends the opening, and later closes the mailbox. */
  signal?: AbortSignal
  /**
   * `auto` (the default) reads by a socket, and polls where sockets do not get through. `webhook` reads when a
   * webhook comes, and looks by itself once a minute.
   */
  source?: 'auto' | SourceKind
  /** How long opening may take. Default 10,000. */
  openTimeoutMs?: number
  /** Bound of the cache. Default 64 MiB. */
  cacheBytes?: number
  /**
   * How many messages a loop without a consumer holds until its body takes them; what comes beyond is read again when
   * it is its turn. 1 to 500, the default.
   */
  readAhead?: number
  /** Time and chance; for tests. */
  clock?: Clock
}

/** Where the mailbox is, and how to hold it. */
export type MailboxOptions = (RemoteOptions | EmbeddedOptions) & MailboxSettings

/** Where a mailbox stands: see {@link SyncState}. */
export type MailboxState = SyncState
