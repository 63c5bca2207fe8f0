const callbacksOf = new WeakMap<AbortSignal, Set<() => void>>()

const watch = (signal: AbortSignal): Set<() => void> => {
  const callbacks = new Set<() => void>()
  const fire = () => {
    for (const callback of [...callbacks]) callback()
  }
  // One listener however many wait: Node warns of a leak from the eleventh on.
  signal.addEventListener('abort', fire, { once: true })
  callbacksOf.set(signal, callbacks)
  return callbacks
}

/**
 * Calls back once when the signal aborts (at once where it has), until the returned function is called.
 */
export const onAbort = (signal: AbortSignal | undefined, callback: () => void): (() => void) => {
  if (!signal) return () => {}
  if (signal.aborted) {
    callback()
    return () => {}
  }
  const callbacks = callbacksOf.get(signal) ?? watch(signal)
  const own = () => callback()
  callbacks.add(own)
  return () => void callbacks.delete(own)
}

/** The promise, or a rejection with the signal's reason as soon as it aborts. */
export const abortable = <T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (!signal) return promise
  return new Promise<T>((resolve, reject) => {
    const stop = onAbort(signal, () => reject(signal.reason))
    promise.then(resolve, reject).finally(stop)
  })
}
