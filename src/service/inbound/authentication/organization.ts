import { loadSuffixes } from '../../base'

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
