import type { Dispatcher } from 'undici'
import { once } from '../../base/load-later'
import { loadHttpClient, readBounded } from '../../net/http-client'
import type { Clock, Resolver } from '../../ports'

/** Fetches the published policy of a domain; rejects if there is none. */
export type PolicyFetcher = (domain: string) => Promise<string>

const timeoutMs = 15_000
const maxBytes = 64 * 1024

/** Options of {@link createPolicyFetcher}. */
interface PolicyFetcherOptions {
  resolver: Resolver
  clock: Clock
  /** Replaces connections to only the public internet. */
  connections?: Dispatcher
}

const tooLarge = () => new Error(`the policy is larger than ${maxBytes} bytes`)

/**
 * Returns the URL of a domain's policy (RFC 8461 section 3.3). @throws Error if the domain does not fit into
 * a URL
 */
function addressOf(domain: string): URL {
  const url = new URL(`https://mta-sts.${domain}/.well-known/mta-sts.txt`)
  if (url.hostname !== `mta-sts.${domain}`) throw new Error('the domain cannot be part of a URL')
  return url
}

/**
 * Creates a fetcher of policies by HTTPS, only from public hosts with a valid certificate. Redirects are not
 * followed, as the standard requires.
 */
export function createPolicyFetcher({ resolver, clock, connections }: PolicyFetcherOptions): PolicyFetcher {
  // Few services send to a domain with a policy: the client is loaded on first use.
  const agent = once(async (): Promise<Dispatcher> => {
    if (connections) return connections
    const { createGuardedAgent } = await loadHttpClient()
    return createGuardedAgent({ resolver, allowPrivate: false })
  })

  return async (domain) => {
    const timeout = new AbortController()
    const cancel = clock.background(timeoutMs, () => timeout.abort(new Error('there was no answer in time')))
    try {
      const { request } = await loadHttpClient()
      const answer = await request(addressOf(domain), { dispatcher: await agent(), signal: timeout.signal })
      answer.body.on('error', () => {}) // the reader of the body gets the error
      const type = String(answer.headers['content-type'] ?? '')
      if (answer.statusCode !== 200 || !/^text\/plain\s*(;|$)/i.test(type)) {
        answer.body.destroy()
        throw new Error(`the answer was ${answer.statusCode} ${type}`)
      }
      return (await readBounded(answer.body, maxBytes, tooLarge)).toString()
    } finally {
      cancel()
    }
  }
}
