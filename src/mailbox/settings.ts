import type { Clock } from '../protocol/time/clock'
import type { EmbeddedOptions, RemoteOptions } from './sync/connection'
import type { SourceKind } from './sync/source'

/** Options of every mailbox. */
export interface MailboxSettings {
  /** Id or address of the one inbox to read. Default: all that the key may read. */
  inbox?: string | undefined
  /** Ends the opening, and later closes the mailbox. */
  signal?: AbortSignal | undefined
  /**
   * `auto` (the default) reads over a socket, and polls if sockets do not get through. `webhook` reads when a
   * webhook arrives, and once a minute by itself.
   */
  source?: 'auto' | SourceKind | undefined
  /** Most time, in ms, that opening may take. Default 10,000. */
  openTimeoutMs?: number | undefined
  /** Most bytes in the cache. Default 64 MiB. */
  maxCacheBytes?: number | undefined
  /**
   * Most messages that a loop without a consumer buffers, from 1 to 500, the default. Further ones are read
   * again when the loop gets to them.
   */
  readAhead?: number | undefined
  /** Time and randomness; for tests. */
  clock?: Clock | undefined
}

/** Options of `Mailbox.open`: a service at an address or in the same process, and {@link MailboxSettings}. */
export type MailboxOptions = (RemoteOptions | EmbeddedOptions) & MailboxSettings
