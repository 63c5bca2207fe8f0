import { isIP } from 'node:net'
import { isPublic } from './networks'

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
