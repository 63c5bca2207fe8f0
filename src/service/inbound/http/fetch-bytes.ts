import type { Agent } from 'undici'
import { maxMailBytes } from '../../../protocol/records/upload-limit'
import { once } from '../../base/load-later'
import { loadHttpClient, readBounded } from '../../net/http-client'
import type { Resolver } from '../../ports'
import type { FetchBytes } from './providers/provider'

const timeoutMs = 12_000
/** SES stores messages of up to 40 MB in S3. */
const maxFetchedBytes = 2 * maxMailBytes

/** Fetches bytes from the public internet only. `close` aborts running requests and closes connections. */
export function createFetchBytes(resolver: Resolver): { fetchBytes: FetchBytes; close(): Promise<void> } {
  let agent: Agent | undefined
  const connect = once(async () => {
    const { createGuardedAgent, request } = await loadHttpClient()
    agent = createGuardedAgent({ resolver, allowPrivate: false })
    return { dispatcher: agent, request }
  })
  return { fetchBytes, close: async () => agent?.destroy() }

  async function fetchBytes(url: string, headers: Record<string, string> = {}, maxBytes = maxFetchedBytes) {
    const { dispatcher, request } = await connect()
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await request(url, { headers, dispatcher, signal })
    const { host } = new URL(url)
    const tooLarge = () => new Error(`${host} answered with more than ${maxBytes} bytes`)
    const content = await readBounded(answer.body, maxBytes, tooLarge)
    if (answer.statusCode !== 200)
      throw new Error(`${host} answered ${answer.statusCode} where mail was to be fetched`)
    return content
  }
}
