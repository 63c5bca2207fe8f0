import { isIPv4, isIPv6 } from 'node:net'
import { type MacroToken, readDomainSpec, readMacros } from './spf-macro'

/** Result of a mechanism that matches (RFC 7208 section 4.6.2). */
export type SpfQualifier = 'pass' | 'fail' | 'softfail' | 'neutral'

type Rule =
  | { kind: 'all' }
  | { kind: 'include' | 'exists'; domain: MacroToken[] }
  | { kind: 'ptr'; domain: MacroToken[] | null }
  | { kind: 'a' | 'mx'; domain: MacroToken[] | null; bits4: number; bits6: number }
  | { kind: 'ip4' | 'ip6'; address: string; bits: number }

/** Test in a record (RFC 7208 section 5). */
export type Mechanism = Rule & { qualifier: SpfQualifier }

/** The deciding part of a record; an explanation is checked and left out. */
interface SpfRecord {
  mechanisms: Mechanism[]
  redirect: MacroToken[] | null
}

const qualifiers: Record<string, SpfQualifier> = {
  '+': 'pass',
  '-': 'fail',
  '~': 'softfail',
  '?': 'neutral',
}
const term = /^([-+~?]?)([a-z0-9]+)(?::(.*?))?((?:\/(?:\d+))?(?:\/\/(?:\d+))?)$/is
const modifier = /^([a-z][a-z0-9._-]*)=(.*)$/is
const cidr = /^(?:\/(0|[1-9]\d?))?(?:\/\/(0|[1-9]\d{0,2}))?$/

function bitsOf(text: string): { bits4: number; bits6: number } | null {
  const found = cidr.exec(text)
  if (!found) return null
  const bits4 = Number(found[1] ?? 32)
  const bits6 = Number(found[2] ?? 128)
  return bits4 <= 32 && bits6 <= 128 ? { bits4, bits6 } : null
}

function networkOf(kind: 'ip4' | 'ip6', text: string): { address: string; bits: number } | null {
  const [, address, length] = /^([^/]*)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? []
  const [isFamily, max] = kind === 'ip4' ? [isIPv4, 32] : [isIPv6, 128]
  const bits = Number(length ?? max)
  return address && isFamily(address) && !address.includes('%') && bits <= max ? { address, bits } : null
}

function readMechanism(text: string): Mechanism | null {
  const [, sign, name, value, suffix] = term.exec(text) ?? []
  if (name === undefined) return null
  const qualifier = qualifiers[sign || '+']!
  const kind = name.toLowerCase()
  if (kind === 'all') return value === undefined && !suffix ? { kind, qualifier } : null
  if (kind === 'ip4' || kind === 'ip6') {
    const network = value === undefined ? null : networkOf(kind, value + suffix)
    return network && { kind, qualifier, ...network }
  }
  if (kind === 'include' || kind === 'exists') {
    const domain = value === undefined ? null : readDomainSpec(value + suffix)
    return domain && { kind, qualifier, domain }
  }
  if (kind === 'ptr') {
    if (value === undefined) return suffix ? null : { kind, qualifier, domain: null }
    const domain = readDomainSpec(value + suffix)
    return domain && { kind, qualifier, domain }
  }
  if (kind !== 'a' && kind !== 'mx') return null
  const bits = bitsOf(suffix!)
  const domain = value === undefined ? null : readDomainSpec(value)
  if (!bits || (value !== undefined && !domain)) return null
  return { kind, qualifier, domain, ...bits }
}

/** Parses a complete SPF record before evaluating any of it (RFC 7208 section 4.6); null if malformed. */
export function readSpfRecord(text: string): SpfRecord | null {
  const record: SpfRecord = { mechanisms: [], redirect: null }
  const seen = new Set<string>()
  for (const written of text.split(' ').slice(1).filter(Boolean)) {
    const [, name, value = ''] = modifier.exec(written) ?? []
    if (name === undefined) {
      const mechanism = readMechanism(written)
      if (!mechanism) return null
      record.mechanisms.push(mechanism)
      continue
    }
    const known = name.toLowerCase()
    if (known !== 'redirect' && known !== 'exp') {
      if (!readMacros(value.replace(/%\{[crt]/gi, '%{s'))) return null
      continue
    }
    const domain = readDomainSpec(value)
    if (!domain || seen.has(known)) return null
    seen.add(known)
    if (known === 'redirect') record.redirect = domain
  }
  return record
}
