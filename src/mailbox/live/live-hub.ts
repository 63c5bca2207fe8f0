import { abortable } from '../../client/abort'
import type { Client } from '../../client/client'
import type { RestanteError } from '../../protocol/errors/error'
import type { Event } from '../../protocol/records/event'
import type { Clock } from '../../protocol/time/clock'
import type { Sync } from '../sync/sync'
import { type LiveContext, LiveList, type LiveQuery, type LiveSource, type LiveWatcher } from './live-query'
import type { LiveRecord } from './live-rows'

/** The parts of its mailbox that a {@link LiveHub} uses. */
interface LiveHubOptions {
  client: Client
  clock: Clock
  /** The inbox that the mailbox was opened for. */
  inboxId: string | undefined
  sync(): Pick<Sync, 'state' | 'hint'>
  onError(error: RestanteError): void
}

/** All watched live queries of a mailbox. */
export interface LiveHub {
  open<R extends LiveRecord, Item>(source: LiveSource<R, Item>): LiveQuery<Item>
  apply(event: Event): void
  /** The cursor has reached the end of the log. */
  levelled(): void
  /** The log has a gap. */
  reset(): void
  /** Ends all queries, also later ones; with an error if one is given. */
  end(failure?: { readonly error: unknown }): void
}

/** Makes a {@link LiveHub}. */
export const createLiveHub = ({ client, clock, inboxId, sync, onError }: LiveHubOptions): LiveHub => {
  const watchers = new Set<LiveWatcher>()
  let ended: { readonly failure: { readonly error: unknown } | undefined } | null = null

  const level = async (signal: AbortSignal): Promise<void> => {
    const query = { after: 'now', inbox_id: inboxId, limit: 1 } as const
    const { to } = await client.events.list(query, { signal, retry: false })
    await abortable(sync().hint(to), signal)
  }
  const context: LiveContext = {
    clock,
    onError,
    position: () => sync().state,
    level,
    add: (watcher) => {
      if (ended) return watcher.end(ended.failure)
      watchers.add(watcher)
    },
    remove: (watcher) => void watchers.delete(watcher),
  }
  const each = (tell: (watcher: LiveWatcher) => void): void => {
    for (const watcher of [...watchers]) tell(watcher)
  }

  return {
    open: (source) => new LiveList(context, source),
    apply: (event) => each((watcher) => watcher.apply(event)),
    levelled: () => each((watcher) => watcher.levelled()),
    reset: () => each((watcher) => watcher.reset()),
    end: (failure) => {
      ended ??= { failure }
      each((watcher) => watcher.end(failure))
    },
  }
}
