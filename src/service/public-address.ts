import ipaddr from 'ipaddr.js'

/** IPv6 addresses that are given out for the internet (RFC 4291 section 2.4, IANA's registry). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** Looks like any other address, but is the host's own agent on Azure. */
const metadata = new Set(['168.63.129.16'])

/**
 * An address on the public internet: refuses private, loopback, link-local, shared (RFC 6598), multicast,
 * metadata and every other special range, and IPv6 addresses that stand for IPv4 ones, be they mapped,
 * translated (RFC 6052), tunnelled or the old compatible kind.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address) || metadata.has(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast)
}
