import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'

/**
 * Runs `make` on the first call, and caches its result. A failure is not cached: the next call tries again.
 */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    if (made) return made
    const making = make()
    made = making
    making.catch(() => {
      if (made === making) made = undefined
    })
    return making
  }
}

/** File handles: half as many again as the largest of these modules opens at once while it loads. */
const handlesToLoad = 192

/**
 * Checks that a part of the program can be loaded. @throws the error of the system if too few files can be
 * opened
 */
export function requireHandles(): void {
  const open: number[] = []
  try {
    while (open.length < handlesToLoad) open.push(openSync(devNull, 'r'))
  } finally {
    for (const handle of open) closeSync(handle)
  }
}

/**
 * Loads a part of the program when it is first needed. It checks for file handles first: without them Node
 * would remember, until the process ends, that the module cannot be loaded.
 */
export const loadLater = <T>(load: () => Promise<T>): (() => Promise<T>) =>
  once(async () => {
    requireHandles()
    return load()
  })

/** Loads the large list of public suffixes when it is first needed. */
export const loadSuffixes = loadLater(() => import('tldts'))
