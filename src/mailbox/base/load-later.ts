import { requireHandles } from '#files'

/**
 * Loads a module when it is first needed. It checks for free file handles first: if there are none, Node 20
 * remembers until the process ends that the module cannot be loaded.
 */
export function loadLater<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: T | undefined
  return async () => {
    if (loaded !== undefined) return loaded
    requireHandles()
    loaded = await load()
    return loaded
  }
}
