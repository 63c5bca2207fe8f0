import type { Dispatcher } from 'undici'
import { loadHttpClient, readBounded } from '../../net/http-client'
import { hostProblem } from '../../net/networks'
import type { Clock, Resolver } from '../../ports'
import { maxConfigBytes } from './autoconfig'
import type { DiscoveryPorts } from './discover'

const timeoutMs = 8_000
const maxRedirects = 3

/** Options of {@link createFileFetcher}. */
interface FileFetcherOptions {
  resolver: Resolver
  clock: Clock
  /** True if the administrator allows servers on a private network. */
  allowPrivate: boolean
  /** Replaces connections to only the public internet. */
  connections?: Dispatcher
}

const tooLarge = () => new Error(`the file is larger than ${maxConfigBytes} bytes`)

/** @throws Error if the URL is not of HTTPS on the public internet */
function checked(url: URL, allowPrivate: boolean): URL {
  if (url.protocol !== 'https:' || url.username || url.password)
    throw new Error('it is not a plain HTTPS URL')
  const problem = allowPrivate ? null : hostProblem(url)
  if (problem !== null) throw new Error(problem)
  return url
}

/**
 * Creates a fetcher of small files by HTTPS. A redirect must lead to HTTPS too, so that only the domain of
 * the first URL decides what is read.
 */
export function createFileFetcher(options: FileFetcherOptions): DiscoveryPorts['fetchFile'] {
  const { resolver, clock, allowPrivate } = options

  async function follow(text: string, dispatcher: Dispatcher, signal: AbortSignal) {
    const { request } = await loadHttpClient()
    let url = checked(new URL(text), allowPrivate)
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const answer = await request(url, { dispatcher, signal })
      answer.body.on('error', () => {}) // the reader of the body gets it
      if (answer.statusCode === 200) return readBounded(answer.body, maxConfigBytes, tooLarge)
      answer.body.destroy()
      const { location } = answer.headers
      if (answer.statusCode < 300 || answer.statusCode >= 400 || typeof location !== 'string') return null
      url = checked(new URL(location, url), allowPrivate)
    }
    return null
  }

  return async (url, signal) => {
    // A name without an address is the usual case, and needs no HTTP client.
    if (!options.connections) await resolver.addresses(new URL(url).hostname)
    const { createGuardedAgent } = await loadHttpClient()
    const dispatcher = options.connections ?? createGuardedAgent({ resolver, allowPrivate })
    const timeout = new AbortController()
    const cancel = clock.background(timeoutMs, () => timeout.abort(new Error('there was no answer in time')))
    try {
      return await follow(url, dispatcher, AbortSignal.any([signal, timeout.signal]))
    } finally {
      cancel()
      if (!options.connections) void dispatcher.destroy()
    }
  }
}
