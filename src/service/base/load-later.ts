import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'

/** Runs `make` when it is first asked, and keeps what it resolves to. A failure is not kept: who asks next tries anew. */
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

/** Half as many again as the largest of these modules opens at once while it is loaded. */
const handlesToLoad = 192

/**
 * Checks that a part of the program can be loaded. @throws the error of the system where too few files can be opened
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
 * Loads a part of the program when it is first needed. It asks for file handles first: where there are none Node
 * would remember, until the process ends, that the module cannot be loaded.
 */
export const loadLater = <T>(load: () => Promise<T>): (() => Promise<T>) =>
  once(async () => {
    requireHandles()
    return load()
  })

/** The list of public suffixes, which is large: whoever needs none of it need not wait for it. */
export const loadSuffixes = loadLater(() => import('tldts'))
