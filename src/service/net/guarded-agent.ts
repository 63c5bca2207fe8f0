import type { LookupAddress } from 'node:dns'
import { isIPv6, type LookupFunction } from 'node:net'
import { Agent } from 'undici'
import type { Resolver } from '../ports'
import { isPublic } from './networks'

export { fetch, request } from 'undici'

/** Code of the error if a name leads to no allowed address. */
export const notPublic = 'ENOTPUBLIC'
/** Maximum size of the headers of an answer. */
export const maxHeaderBytes = 16 * 1024
const connectTimeoutMs = 15_000

async function publicAddresses(resolver: Resolver, host: string): Promise<LookupAddress[]> {
  const found = (await resolver.addresses(host)).filter(isPublic)
  if (found.length === 0)
    throw Object.assign(new Error(`${host} has no address on the public internet`), { code: notPublic })
  return found.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
}

/**
 * Makes a lookup that returns only public addresses. The connection uses the checked address, so a name that
 * resolves differently the next time (DNS rebinding) gains nothing.
 */
export function guardedLookup(resolver: Resolver): LookupFunction {
  return (host, options, callback) => {
    publicAddresses(resolver, host).then(
      (found) => (options.all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family)),
      (error) => callback(error, []),
    )
  }
}

interface GuardedAgentOptions {
  resolver: Resolver
  /** True in development: the system's own lookup, and any address. */
  allowPrivate: boolean
}

/**
 * Makes an agent for connections to endpoints. The lookup never sees an IP literal: the caller must have
 * checked the URL. The caller also sets timeouts, since they depend on the clock port.
 */
export const createGuardedAgent = ({ resolver, allowPrivate }: GuardedAgentOptions): Agent =>
  new Agent({
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      timeout: connectTimeoutMs,
      ...(!allowPrivate && { lookup: guardedLookup(resolver) }),
    },
  })
