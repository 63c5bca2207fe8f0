import { requireHandles } from '#files'

/**
 * Loads a part of the program when it is first needed. It asks for file handles first: where there are none Node 20
 * would remember, until the process ends, that the module cannot be loaded.
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
