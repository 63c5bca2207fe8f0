/** Lines around a stranger's text. */
export interface Fence {
  readonly open: string
  readonly close: string
}

const nameLength = 10
/** Returns 64 bits of texts in hexadecimal: enough to spread names, not a signature. */
function digest(texts: readonly string[]): string {
  let one = 0xdeadbeef
  let two = 0x41c6ce57
  const add = (code: number) => {
    one = Math.imul(one ^ code, 2654435761)
    two = Math.imul(two ^ code, 1597334677)
  }
  for (const [index, text] of texts.entries()) {
    if (index > 0) add(10)
    for (let at = 0; at < text.length; at++) add(text.charCodeAt(at))
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909)
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return [one, two].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}

/** Yields endless names that derive from texts. */
function* namesFrom(texts: readonly string[]): Generator<string> {
  for (let salt = 0; ; salt++) yield digest([`${salt}`, ...texts]).slice(0, nameLength)
}

/**
 * Makes a fence that nothing within it can close: its name derives from the content and does not occur in it.
 * The same texts get the same fence, so that prompts can be cached.
 */
export function createFence(texts: readonly string[], names = namesFrom): Fence {
  // Not joined: each copy of a long text costs new memory.
  const within = texts.map((text) => text.toLowerCase())
  for (const name of names(within))
    if (!within.some((text) => text.includes(name)))
      return { open: `<<<mail:${name}`, close: `mail:${name}>>>` }
  throw new Error('there is always another name')
}
