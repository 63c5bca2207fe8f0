const cid = /\bcid:([^"'<>)]{1,300})/gi

/** Returns the id that a `cid:` URL names, percent-decoded (RFC 2392). */
function idOf(written: string): string {
  const trimmed = written.trim()
  if (!trimmed.includes('%')) return trimmed
  try {
    return decodeURIComponent(trimmed)
  } catch {
    return trimmed
  }
}

/** Returns the Content-ID that an address names (`cid:`); null for any other address. */
export const namedId = (address: string): string | null =>
  /^\s{0,10}cid:/i.test(address) ? idOf(address.slice(address.indexOf(':') + 1)) : null

/** Names that a `cid:` URL may mean: all of it, or its first word if the attribute has no quotes. */
const namesIn = (written: string): string[] => [idOf(written), idOf(written.trim().split(/\s/)[0] ?? '')]

const withoutBlanks = (id: string): string => id.replace(/[<>\s]/g, '')

/** Content-IDs of files, and the HTML that names them. */
export interface NamedParts {
  html: string
  /** The Content-ID of each file that the HTML names, ready for a header; undefined for every other file. */
  contentIds: (string | undefined)[]
}

/**
 * Finds the files that HTML shows by `cid:`: only these belong beside it (RFC 2387). A Content-ID with
 * blanks, which no header can carry, loses them in the HTML as well.
 */
export function namedParts(html: string, contentIds: readonly (string | undefined)[]): NamedParts {
  const known = new Set(contentIds.filter((id) => id !== undefined))
  if (known.size === 0) return { html, contentIds: contentIds.map(() => undefined) }
  const named = new Set<string>()
  const rewritten = html.replace(cid, (whole, written: string) => {
    const id = namesIn(written).find((name) => known.has(name))
    if (id === undefined) return whole
    named.add(id)
    return withoutBlanks(id) === id ? whole : whole.replace(written.trim(), () => withoutBlanks(id))
  })
  const idOfFile = (id: string | undefined) =>
    id !== undefined && named.has(id) ? withoutBlanks(id) : undefined
  return { html: rewritten, contentIds: contentIds.map(idOfFile) }
}
