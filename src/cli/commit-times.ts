import { LRUCache } from 'lru-cache'
import type { Message } from '../mailbox'
import { createLocalSignals } from '../service/local-signals'
import type { LogEntry, Signals } from '../service/ports'

/** Remembers when mail was on disk, which no record says to less than a millisecond. */
export interface CommitTimes {
  /** Wake-ups for the service: they come right after the commit. */
  signals: Signals
  /** Milliseconds since the message was on disk. */
  msSince(message: Message): number
}

export function createCommitTimes(): CommitTimes {
  const local = createLocalSignals()
  const times = new LRUCache<string, number>({ max: 1_000 })
  const note = ({ type, json }: LogEntry) => {
    if (type === 'message.received') times.set(JSON.parse(json).data.id, performance.now())
  }
  return {
    signals: {
      subscribe: local.subscribe,
      publish(topic, hint) {
        hint?.().forEach(note)
        local.publish(topic, hint)
      },
    },
    msSince({ id, record }) {
      const committedAt = times.get(id)
      if (committedAt !== undefined) return performance.now() - committedAt
      return Math.max(0, Date.now() - Date.parse(record.created_at))
    },
  }
}
