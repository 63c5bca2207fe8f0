import { domainToASCII } from 'node:url'

// biome-ignore lint/suspicious/noControlCharactersInRegex: what is not ASCII
const beyondAscii = /[^\x00-\x7f]/

/**
 * Returns the domain of an address in lower-case ASCII (RFC 5890); literals such as `[192.0.2.1]` stay. Empty
 * if none.
 */
export function domainOf(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1).replace(/\.$/, '')
  if (!address.includes('@') || domain.startsWith('['))
    return address.includes('@') ? domain.toLowerCase() : ''
  return beyondAscii.test(domain) ? domainToASCII(domain) : domain.toLowerCase()
}

/** Returns the address for the wire: the domain in ASCII, the local part unchanged. */
export function wireAddress(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  if (!beyondAscii.test(domain)) return address
  return `${address.slice(0, -domain.length)}${domainToASCII(domain) || domain}`
}

/** Groups recipients by domain, each group in the given order; addresses without a domain are under ''. */
export function groupByDomain(recipients: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const recipient of recipients) {
    const domain = domainOf(recipient)
    const group = groups.get(domain)
    if (group) group.push(recipient)
    else groups.set(domain, [recipient])
  }
  return groups
}
