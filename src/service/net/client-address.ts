import { areNetworks, isAddress, parseNetworks } from './networks'

/** Origin of a request. */
interface Origin {
  /** Address at the other end of the connection; undefined for a call within this process. */
  socket: string | undefined
  header(name: string): string | null | undefined
}

/** Finds the address that a request really comes from; null if it comes from this process. */
export type ClientAddress = (origin: Origin) => string | null

const standard = 'forwarded'
const usual = 'x-forwarded-for'

/** Parses the setting: networks or a number of hops, with `forwarded` if the proxies set that field. */
const partsOf = (setting: string) => {
  const parts = setting.split(',').map((one) => one.trim())
  const rest = parts.filter((one) => one !== standard)
  return { header: rest.length < parts.length ? standard : usual, proxies: rest.join(',') }
}

/** Returns whether a text is a valid setting of {@link createClientAddress}. */
export function isTrustProxy(setting: string): boolean {
  const { proxies } = partsOf(setting)
  return proxies !== '' && (/^\d{1,2}$/.test(proxies) || areNetworks(proxies))
}

const withoutPort = (text: string): string =>
  text.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')

/** Returns the addresses of a field, the one from the nearest proxy first. */
function hopsIn(header: string, value: string): string[] {
  const hops = value.split(',').reverse()
  if (header !== standard) return hops.map((one) => withoutPort(one.trim()))
  return hops.map((one) => withoutPort(/(?:^|;)\s*for="?([^";\s]*)"?/i.exec(one.trim())?.[1] ?? ''))
}

/** Uses the address of the connection, and reports once if a proxy on this machine names clients. */
function createPeerAddress(onUntrusted: () => void): ClientAddress {
  const here = parseNetworks('127.0.0.0/8, ::1')
  let warned = false
  return ({ socket, header }) => {
    const names = () => Boolean(header(usual) ?? header(standard))
    if (!warned && socket !== undefined && here.has(socket) && names()) {
      warned = true
      onUntrusted()
    }
    return socket ?? null
  }
}

/**
 * Finds the client behind proxies, from the right: each address was written by the one after it. The first
 * that is no proxy of ours is the client, and addresses further left may be invented (RFC 7239 section 8.1).
 * Only the field that the proxies set is read: a client may send the other, and it would pass through.
 */
export function createClientAddress(
  setting: string | undefined,
  /** Called once if a proxy on this machine names clients, but no setting trusts it. */
  onUntrusted: () => void = () => {},
): ClientAddress {
  if (setting === undefined) return createPeerAddress(onUntrusted)
  const { header, proxies } = partsOf(setting)
  const hops = /^\d+$/.test(proxies) ? Number(proxies) : undefined
  const networks = hops === undefined ? parseNetworks(proxies) : undefined
  const isProxy = (address: string | null, position: number) =>
    address === null || (networks ? networks.has(address) : position < hops!)

  return ({ socket, header: read }) => {
    let client = socket ?? null
    const hops = hopsIn(header, read(header) ?? '')
    for (let i = 0; i < hops.length && isProxy(client, i); i += 1) {
      const hop = hops[i]!
      if (!isAddress(hop)) break
      client = hop
    }
    return client
  }
}
