import { EventEmitter } from 'eventemitter3'
import type { Signals } from '../ports'

type Listener = Parameters<Signals['subscribe']>[1]

/** Creates wake-ups within one process. */
export function createLocalSignals(): Signals {
  const emitter = new EventEmitter<string>()
  return {
    publish: (topic, hint) => void emitter.emit(topic, hint),
    subscribe(topic, listener) {
      // A listener of its own for each subscription: the same function may subscribe twice.
      const own: Listener = (hint) => listener(hint)
      emitter.on(topic, own)
      return () => void emitter.off(topic, own)
    },
  }
}
