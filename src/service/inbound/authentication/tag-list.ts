/** Reads the tags of a DKIM or ARC field or key record (RFC 6376 section 3.2); null if malformed. */
export function readTags(value: string): Map<string, string> | null {
  const tags = new Map<string, string>()
  const specs = value.split(';')
  if (specs.at(-1)!.trim() === '') specs.pop()
  for (const spec of specs) {
    const [, name, text] = /^\s*([a-z][a-z0-9_]*)\s*=\s*([\s\S]*)$/i.exec(spec) ?? []
    if (name === undefined || tags.has(name)) return null
    tags.set(name, text!.trim())
  }
  return tags
}

/** Returns the parts of a list within a tag, such as the names of the signed fields, in lower case. */
export const listOf = (value: string | undefined): string[] =>
  (value ?? '').split(':').map((one) => one.trim().toLowerCase())
