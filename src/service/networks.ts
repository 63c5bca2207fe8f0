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

/** Whether a text is an address; the old short forms of IPv4, such as `1`, are none. */
export const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)

/** Whether a text is a list that {@link parseNetworks} takes. */
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

/** How many of the eight parts of an IPv6 address say which network it is: a site has a /64 or more of them. */
const networkParts = 4

/** What limits count by: an IPv4 address, or the /64 of an IPv6 address, since one machine has all of them. */
export function addressGroup(text: string): string {
  if (!isAddress(text)) return text
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const parts = address.parts.slice(0, networkParts).map((part) => part.toString(16))
  return `${parts.join(':')}::/64`
}
