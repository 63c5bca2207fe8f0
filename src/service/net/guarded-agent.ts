import type { LookupAddress } from 'node:dns'
import { isIPv6, type LookupFunction } from 'node:net'
import { Agent } from 'undici'
import type { Resolver } from '../ports'
import { isPublic } from './networks'

/** The code of the error where a name leads to no address that may be called. */
export const notPublic = 'ENOTPUBLIC'
/** The most that the headers of an answer may have. */
export const maxHeaderBytes = 16 * 1024
const connectTimeoutMs = 15_000

async function publicAddresses(resolver: Resolver, host: string): Promise<LookupAddress[]> {
  const found = (await resolver.addresses(host)).filter(isPublic)
  if (found.length === 0)
    throw Object.assign(new Error(`${host} has no address on the public internet`), { code: notPublic })
  return found.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
}

/**
 * Looks a name up for a connection and lets only public addresses through: what was checked is what is
 * connected to, so that a name which answers differently the next time (DNS rebinding) gains nothing.
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
  /** True in development: the system's own lookup, and every address. */
  allowPrivate: boolean
}

/**
 * Connections to endpoints. The lookup never sees an IP literal: the caller must have checked the URL. The caller limits
 * the time, too, since it belongs to the clock.
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
