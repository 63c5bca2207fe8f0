import { loadLater } from '../../base'
import type { Resolver } from '../../ports'
import type { Endpoint } from './embedders'

/** Settings of the embedding endpoint; without a URL there is none. */
export interface EmbeddingSettings {
  embeddingsUrl?: string | undefined
  embeddingsKey?: string | undefined
  embeddingsModel: string
}

const loadClient = loadLater(() => Promise.all([import('./endpoint'), import('../../net/guarded-agent')]))

/** Opens the administrator's endpoint: it may be on a private network, as model servers are. */
export async function openEndpoint(
  { embeddingsUrl: url, embeddingsKey: key, embeddingsModel: model }: EmbeddingSettings,
  resolver: Resolver,
): Promise<Endpoint | undefined> {
  if (url === undefined) return undefined
  const [{ createEndpoint }, { createGuardedAgent }] = await loadClient()
  return createEndpoint({ url, key, model }, createGuardedAgent({ resolver, allowPrivate: true }))
}
