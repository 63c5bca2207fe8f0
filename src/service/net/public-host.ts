import { isIP } from 'node:net'
import { isPublic } from './networks'

const bareHost = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')

/** Names that lead to this host or its neighbours by their definition (RFC 6761, RFC 6762, RFC 8375). */
const localName = /(^|\.)(localhost|local|internal|home\.arpa|localdomain)$/

/**
 * Names the reason why the host of a URL is none of the public internet; null where it may be one: the addresses of a name
 * are checked when it is connected to. URL parsing has brought every notation of an IPv4 address into one.
 */
export function hostProblem(url: URL): string | null {
  const host = bareHost(url)
  if (isIP(host)) return isPublic(host) ? null : `${host} is not an address on the public internet`
  const name = host.replace(/\.$/, '')
  if (localName.test(name) || !name.includes('.')) return `${name} is a name of a local network`
  return null
}
