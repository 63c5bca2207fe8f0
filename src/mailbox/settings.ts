import type { Clock } from '../client'
import type { EmbeddedOptions, RemoteOptions, SourceKind } from './sync'

/** The options of every mailbox. */
export interface MailboxSettings {
  /** Id or address of the one inbox to read. Default: all that the key may read. */
  inbox?: string | undefined
  /** Ends the opening, and later closes the mailbox. */
  signal?: AbortSignal | undefined
  /**
   * `auto` (the default) reads by a socket, and polls where sockets do not get through. `webhook` reads when a
   * webhook comes, and looks by itself once a minute.
   */
  source?: 'auto' | SourceKind | undefined
  /** The most time that opening may take. Default 10,000. */
  openTimeoutMs?: number | undefined
  /** Bound of the cache. Default 64 MiB. */
  maxCacheBytes?: number | undefined
  /**
   * The most messages that a loop without a consumer holds until its body takes them; what comes beyond is read again
   * when it is its turn. 1 to 500, the default.
   */
  readAhead?: number | undefined
  /** Time and chance; for tests. */
  clock?: Clock | undefined
}

/** The options of `Mailbox.open`: a service at an address or in the same process, and {@link MailboxSettings}. */
export type MailboxOptions = (RemoteOptions | EmbeddedOptions) & MailboxSettings
