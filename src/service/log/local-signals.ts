import type { Signals } from '../ports'

type Listener = Parameters<Signals['subscribe']>[1]

/** Creates wake-ups within one process. */
export function createLocalSignals(): Signals {
  const topics = new Map<string, Set<Listener>>()
  return {
    publish(topic, hint) {
      for (const listener of topics.get(topic) ?? []) listener(hint)
    },
    subscribe(topic, listener) {
      const listeners = topics.get(topic) ?? new Set()
      topics.set(topic, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && topics.get(topic) === listeners) topics.delete(topic)
      }
    },
  }
}
