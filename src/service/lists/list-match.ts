import { asciiDomain, splitAddress } from '../../mail/headers'

/** An entry of a list, as far as it decides. */
export interface ListEntry<Kind extends string = 'block' | 'allow'> {
  pattern: string
  kind: Kind
}

/** A pattern as it is compared: in lower case, its domain in ASCII. */
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
 * Every pattern that fits an address, the narrowest first: each one's addresses are among the next one's.
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

/** The narrowest of these entries that fits an address; null where none fits. */
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
