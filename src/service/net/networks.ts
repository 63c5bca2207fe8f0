import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const bareHost = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')

/** Names that by definition lead to this machine or its neighbours (RFC 6761, RFC 6762, RFC 8375). */
const localName = /(^|\.)(localhost|local|internal|home\.arpa|localdomain)$/

/**
 * Returns why the host of a URL is not on the public internet; null if it may be, since the addresses of a
 * name are checked on connection. URL parsing has normalized every notation of an IPv4 address.
 */
export function hostProblem(url: URL): string | null {
  const host = bareHost(url)
  if (isIP(host)) return isPublic(host) ? null : `${host} is not an address on the public internet`
  const name = host.replace(/\.$/, '')
  if (localName.test(name) || !name.includes('.')) return `${name} is a name of a local network`
  return null
}

type Address = ReturnType<typeof ipaddr.process>
type Network = ReturnType<typeof ipaddr.parseCIDR>

/** Set of addresses and networks. */
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

/** Returns whether a text is an address; the old short forms of IPv4, such as `1`, do not count. */
export const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)

/** Returns whether a text is a valid list for {@link parseNetworks}. */
export const areNetworks = (list: string): boolean =>
  namesIn(list).every((one) => ipaddr.isValidCIDR(one) || isAddress(one))

/** Parses a list such as `127.0.0.0/8, ::1`. An IPv4-mapped IPv6 address counts as the IPv4 address. */
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

/** Number of the eight parts of an IPv6 address that name its network: a site has a /64 or more. */
const networkParts = 4

/** Returns the unit of limits: an IPv4 address, or the /64 of IPv6, which one machine may have entirely. */
export function addressGroup(text: string): string {
  if (!isAddress(text)) return text
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const parts = address.parts.slice(0, networkParts).map((part) => part.toString(16))
  return `${parts.join(':')}::/64`
}

/** IPv6 addresses that are assigned for the internet (RFC 4291 section 2.4, IANA's registry). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** Addresses that look public but belong to the host's own agent on Azure. */
const metadata = new Set(['168.63.129.16'])

/**
 * Returns whether an address is on the public internet. It excludes private, loopback, link-local, shared
 * (RFC 6598), multicast, metadata and every other special range. It also excludes IPv6 addresses that stand
 * for IPv4 ones: mapped, translated (RFC 6052), tunnelled, or the old compatible kind.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address) || metadata.has(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast)
}
