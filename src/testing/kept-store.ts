import type { Store } from '../service/store'

/** A store that outlives the services on it, and how one of them loses it. */
export interface KeptStore {
  readonly store: Store
  /** Nothing that this service still does reaches the store; resolves once what had begun is over. */
  cut(): Promise<void>
}

/** Lends a store to one service. */
export const lendStore = (kept: Store): KeptStore => {
  const running = new Set<Promise<unknown>>()
  let isCut = false
  const write: Store['write'] = (work) => {
    if (isCut) return Promise.reject(new Error('this service was killed'))
    const writing = kept.write(work)
    running.add(writing)
    const over = () => void running.delete(writing)
    writing.then(over, over)
    return writing
  }
  return {
    store: { ...kept, write, close: async () => {} },
    cut: async () => {
      isCut = true
      await Promise.allSettled(running)
    },
  }
}
