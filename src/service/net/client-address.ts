import { areNetworks, isAddress, parseNetworks } from './networks'

/** The origin of a request. */
export interface Origin {
  /** The address at the other end of the connection; undefined for a call within this process. */
  socket: string | undefined
  header(name: string): string | null | undefined
}

/** Finds the address that a request really comes from; null where it comes from this process. */
export type ClientAddress = (origin: Origin) => string | null

const standard = 'forwarded'
const usual = 'x-forwarded-for'

/** A list of addresses and networks, or a number of hops, with `forwarded` where the proxies set that field. */
const partsOf = (setting: string) => {
  const parts = setting.split(',').map((one) => one.trim())
  const rest = parts.filter((one) => one !== standard)
  return { header: rest.length < parts.length ? standard : usual, proxies: rest.join(',') }
}

/** Tells whether a text is a setting that {@link createClientAddress} takes. */
export function isTrustProxy(setting: string): boolean {
  const { proxies } = partsOf(setting)
  return proxies !== '' && (/^\d{1,2}$/.test(proxies) || areNetworks(proxies))
}

const withoutPort = (text: string): string =>
  text.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')

/** The addresses of a field, the nearest proxy's word first. */
function hopsIn(header: string, value: string): string[] {
  const hops = value.split(',').reverse()
  if (header !== standard) return hops.map((one) => withoutPort(one.trim()))
  return hops.map((one) => withoutPort(/(?:^|;)\s*for="?([^";\s]*)"?/i.exec(one.trim())?.[1] ?? ''))
}

/** Takes everybody for who they are connected as, and says once that a proxy on this machine knows better. */
function createPeerAddress(onUntrusted: () => void): ClientAddress {
  const here = parseNetworks('127.0.0.0/8, ::1')
  let told = false
  return ({ socket, header }) => {
    const names = () => Boolean(header(usual) ?? header(standard))
    if (!told && socket !== undefined && here.has(socket) && names()) {
      told = true
      onUntrusted()
    }
    return socket ?? null
  }
}

/**
 * Finds the client behind proxies, from the right: each address was written by the one after it, so the first that
 * is no proxy of ours is the client, and what stands further left may be anybody's invention (RFC 7239 section 8.1).
 * Only the one field is read that the proxies set: a client may send the other, and it would pass through.
 */
export function createClientAddress(
  setting: string | undefined,
  /** Called once where a proxy on this machine names clients and nothing says to believe it. */
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
    const told = hopsIn(header, read(header) ?? '')
    for (let i = 0; i < told.length && isProxy(client, i); i += 1) {
      const hop = told[i]!
      if (!isAddress(hop)) break
      client = hop
    }
    return client
  }
}
