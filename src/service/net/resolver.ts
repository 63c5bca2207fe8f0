import { Resolver as DnsResolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Resolver } from '../ports'

/** Options of {@link createResolver}. */
interface ResolverOptions {
  /** Timeout of one query to one server; 5 s. */
  timeoutMs?: number
  /** Number of queries until it counts as a timeout; 2. */
  tries?: number
  /** Servers as `address` or `address:port`; default: the system's servers. */
  servers?: readonly string[]
}

/** Codes of a name that does not exist, or cannot. */
const noName = new Set(['ENOTFOUND', 'EBADNAME'])

/** Maps c-ares codes to the three of the port: others than "no name" and "no data" may be temporary. */
function asPortError(error: unknown): Error {
  const { code = '', message } = error as NodeJS.ErrnoException
  const portCode = noName.has(code) ? 'ENOTFOUND' : code === 'ENODATA' ? code : 'ETIMEOUT'
  return Object.assign(new Error(message, { cause: error }), { code: portCode })
}

const rethrow = (error: unknown): never => {
  throw asPortError(error)
}

/** Returns the DNS name for the reverse lookup of an address. */
function reverseName(address: string): string {
  const parsed = ipaddr.process(address)
  const bytes = parsed.toByteArray()
  if (parsed.kind() === 'ipv4') return `${bytes.reverse().join('.')}.in-addr.arpa`
  const digits = bytes.flatMap((byte) => [...byte.toString(16).padStart(2, '0')])
  return `${digits.reverse().join('.')}.ip6.arpa`
}

/** Makes the {@link Resolver} port on DNS, with a channel of its own; the hosts file is not read. */
export function createResolver({ timeoutMs = 5_000, tries = 2, servers }: ResolverOptions = {}): Resolver {
  const dns = new DnsResolver({ timeout: timeoutMs, tries })
  if (servers) dns.setServers(servers)

  async function addresses(host: string): Promise<string[]> {
    if (isIP(host)) return [host]
    const results = await Promise.allSettled([dns.resolve4(host), dns.resolve6(host)])
    const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    if (found.length) return found
    const errors = results.map((result) => asPortError(result.status === 'rejected' && result.reason))
    // One family without data does not make up for the other without an answer.
    throw errors.find((error) => 'code' in error && error.code === 'ETIMEOUT') ?? errors[0]
  }

  return {
    // Node 24 adds `type` to each record, which the port does not have.
    mx: (domain) =>
      dns
        .resolveMx(domain)
        .then((records) => records.map(({ exchange, priority }) => ({ exchange, priority })))
        .catch(rethrow),
    txt: (domain) => dns.resolveTxt(domain).catch(rethrow),
    // `reverse` of Node would read the hosts file.
    ptr: async (address) => dns.resolvePtr(reverseName(address)).catch(rethrow),
    srv: (name) =>
      dns
        .resolveSrv(name)
        .then((records) =>
          records.map(({ name, port, priority, weight }) => ({ name, port, priority, weight })),
        )
        .catch(rethrow),
    addresses,
  }
}
