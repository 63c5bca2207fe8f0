import { loadSuffixes } from '../../base/load-later'

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/**
 * Returns whether a domain, in its ASCII form, is a name that DNS and other programs read in the same way.
 * Other names prove nothing: in `bank.example/.evil.example` a suffix list may find another domain than DNS
 * queries.
 */
export function isDomainName(domain: string): boolean {
  const labels = domain.split('.')
  return domain.length <= 253 && labels.length > 1 && labels.every((one) => label.test(one))
}

/** Returns a function that finds the organizational domain of a domain by the Public Suffix List. */
export async function loadOrganizations(): Promise<(domain: string) => string> {
  const { getDomain } = await loadSuffixes()
  return (domain) =>
    (isDomainName(domain) ? getDomain(domain, { allowPrivateDomains: true }) : null) ?? domain
}

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
