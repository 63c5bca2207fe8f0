import { type Agent, request } from 'undici'
import { maxMailBytes } from '../../../protocol/records'
import { loadLater, once } from '../../base'
import type { Resolver } from '../../ports'
import type { FetchBytes } from './providers'

const timeoutMs = 12_000
/** SES stores messages of up to 40 MB in S3. */
const maxFetchedBytes = 2 * maxMailBytes
const loadAgent = loadLater(() => import('../../net/guarded-agent'))

/** Fetches bytes from the public internet only. `close` aborts running requests and closes connections. */
export function createFetchBytes(resolver: Resolver): { fetchBytes: FetchBytes; close(): Promise<void> } {
  let agent: Agent | undefined
  const connect = once(async () => {
    agent = (await loadAgent()).createGuardedAgent({ resolver, allowPrivate: false })
    return agent
  })
  return { fetchBytes, close: async () => agent?.destroy() }

  async function fetchBytes(url: string, headers: Record<string, string> = {}, maxBytes = maxFetchedBytes) {
    const dispatcher = await connect()
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await request(url, { headers, dispatcher, signal })
    const pieces: Buffer[] = []
    let size = 0
    for await (const piece of answer.body) {
      size += piece.length
      if (size > maxBytes) throw new Error(`${new URL(url).host} answered with more than ${maxBytes} bytes`)
      pieces.push(piece)
    }
    if (answer.statusCode !== 200)
      throw new Error(`${new URL(url).host} answered ${answer.statusCode} where mail was to be fetched`)
    return Buffer.concat(pieces)
  }
}
