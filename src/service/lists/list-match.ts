import { asciiDomain, splitAddress } from '../../mail/headers/address'

/** Entry of a list, as needed to judge. */
export interface ListEntry<Kind extends string = 'block' | 'allow'> {
  pattern: string
  kind: Kind
}

/** Normalizes a pattern for comparison: in lower case, its domain in ASCII. */
export function normalizePattern(pattern: string): string {
  const text = pattern.trim()
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at + 1).toLowerCase()
  const domain = text.slice(at + 1)
  return domain.startsWith('*.')
    ? `${local}*.${asciiDomain(domain.slice(2))}`.toLowerCase()
    : `${local}${asciiDomain(domain)}`.toLowerCase()
}

/**
 * Returns every pattern that matches an address, narrowest first. Each one's addresses are a subset of the
 * next one's.
 *
 * `ana@a.example.com`, `*@a.example.com`, `a.example.com`, `*.example.com`, `example.com`, `*.com`, `com`
 */
export function patternsFor(address: string): string[] {
  const parts = splitAddress(address)
  if (!parts) return []
  const domain = asciiDomain(parts.domain).toLowerCase()
  const patterns = [`${parts.local.toLowerCase()}@${domain}`, `*@${domain}`, domain]
  for (let dot = domain.indexOf('.'); dot >= 0; dot = domain.indexOf('.', dot + 1)) {
    const parent = domain.slice(dot + 1)
    patterns.push(`*.${parent}`, parent)
  }
  return patterns
}

/** Returns the narrowest of these entries that matches an address; null if none does. */
export function judge<Kind extends string>(
  address: string,
  entries: readonly ListEntry<Kind>[],
): ListEntry<Kind> | null {
  for (const pattern of patternsFor(address)) {
    const entry = entries.find((one) => one.pattern === pattern)
    if (entry) return entry
  }
  return null
}
