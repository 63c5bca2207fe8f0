import { LRUCache } from 'lru-cache'
import type { Event } from 'restante'
import { inboxUri, uriOf } from './resources'

/** Resources that an event changed. */
export interface Change {
  readonly uris: readonly string[]
  /** Whether the list of resources changed. */
  readonly list: boolean
}

interface Changed {
  id?: string
  thread_id?: string
  merged_id?: string
  label_ids?: readonly string[]
}

const maxAliases = 10_000

/** Maps events to the resources that they changed. A thread that was merged into another changes with it. */
export class Changes {
  readonly #aliases = new LRUCache<string, readonly string[]>({ max: maxAliases })

  /** Returns the changes of an event; null if it changed nothing. */
  of({ type, data }: Event): Change | null {
    const { id, thread_id: thread, merged_id: merged, label_ids: labels = [] } = data as Changed
    const isIncoming = type === 'message.received' && !labels.includes('spam')
    if (type.startsWith('message.') && id)
      return {
        uris: [
          uriOf('messages', id),
          ...(thread ? this.#threads(thread) : []),
          ...(isIncoming ? [inboxUri] : []),
        ],
        list: type === 'message.received' || type === 'message.queued' || type === 'message.deleted',
      }
    if (type === 'thread.merged' && id && merged) {
      this.#aliases.set(id, [...this.#known(id), merged, ...this.#known(merged)])
      return { uris: this.#threads(id), list: true }
    }
    return type === 'thread.deleted' && id ? { uris: this.#threads(id), list: true } : null
  }

  #known(id: string): readonly string[] {
    return this.#aliases.get(id) ?? []
  }

  #threads(id: string): string[] {
    return [id, ...this.#known(id)].map((one) => uriOf('threads', one))
  }
}
