import type { Dispatcher } from 'undici'
import { loadLater, once } from '../../base'
import type { Clock, Resolver } from '../../ports'

/** Fetches the published policy of a domain; rejects if there is none. */
export type PolicyFetcher = (domain: string) => Promise<string>

const loadGuardedAgent = loadLater(() => import('../../net/guarded-agent'))
const loadUndici = loadLater(() => import('undici'))

const timeoutMs = 15_000
const maxBytes = 64 * 1024

/** Options of {@link createPolicyFetcher}. */
interface PolicyFetcherOptions {
  resolver: Resolver
  clock: Clock
  /** Replaces connections to only the public internet. */
  connections?: Dispatcher
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`the policy is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

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
    const { createGuardedAgent } = await loadGuardedAgent()
    return createGuardedAgent({ resolver, allowPrivate: false })
  })

  return async (domain) => {
    const timeout = new AbortController()
    const cancel = clock.background(timeoutMs, () => timeout.abort(new Error('there was no answer in time')))
    try {
      const { request } = await loadUndici()
      const answer = await request(addressOf(domain), { dispatcher: await agent(), signal: timeout.signal })
      answer.body.on('error', () => {}) // the reader of the body gets the error
      const type = String(answer.headers['content-type'] ?? '')
      if (answer.statusCode !== 200 || !/^text\/plain\s*(;|$)/i.test(type)) {
        answer.body.destroy()
        throw new Error(`the answer was ${answer.statusCode} ${type}`)
      }
      return await readText(answer.body)
    } finally {
      cancel()
    }
  }
}
