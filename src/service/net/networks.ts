import ipaddr from 'ipaddr.js'

type Address = ReturnType<typeof ipaddr.process>
type Network = ReturnType<typeof ipaddr.parseCIDR>

/** A set of addresses and networks. */
export interface Networks {
  has(address: string): boolean
}

const networkOf = (text: string): Network => {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

const contains = (address: Address, [base, bits]: Network): boolean =>
  address.kind() === base.kind() && address.match(base, bits)

const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)

/** Tells whether a text is an address; the old short forms of IPv4, such as `1`, are none. */
export const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)

/** Tells whether a text is a list that {@link parseNetworks} takes. */
export const areNetworks = (list: string): boolean =>
  namesIn(list).every((one) => ipaddr.isValidCIDR(one) || isAddress(one))

/** Reads a list such as `127.0.0.0/8, ::1`. An IPv4 address that is mapped into IPv6 is the IPv4 address. */
export function parseNetworks(list: string): Networks {
  const networks = namesIn(list).map(networkOf)
  return {
    has(text) {
      if (!isAddress(text)) return false
      const address = ipaddr.process(text)
      return networks.some((network) => contains(address, network))
    },
  }
}

/** The parts of an IPv6 address, of eight, that name its network: a site has a /64 or more. */
const networkParts = 4

/** The unit that limits count by: an IPv4 address, or the /64 of an IPv6 address, all of which one machine may have. */
export function addressGroup(text: string): string {
  if (!isAddress(text)) return text
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const parts = address.parts.slice(0, networkParts).map((part) => part.toString(16))
  return `${parts.join(':')}::/64`
}

/** IPv6 addresses that are given out for the internet (RFC 4291 section 2.4, IANA's registry). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** Looks like any other address, but is the host's own agent on Azure. */
const metadata = new Set(['168.63.129.16'])

/**
 * Tells whether an address is on the public internet: not private, loopback, link-local, shared (RFC 6598),
 * multicast, metadata and every other special range, and IPv6 addresses that stand for IPv4 ones, be they mapped,
 * translated (RFC 6052), tunnelled or the old compatible kind.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address) || metadata.has(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast)
}
