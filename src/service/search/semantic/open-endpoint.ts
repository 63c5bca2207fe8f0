import { loadLater } from '../../base'
import type { Resolver } from '../../ports'
import type { Endpoint } from './embedders'

/** The settings of the endpoint that embeds; without a URL there is none. */
export interface EmbeddingSettings {
  embeddingsUrl?: string | undefined
  embeddingsKey?: string | undefined
  embeddingsModel: string
}

const loadClient = loadLater(() => Promise.all([import('./endpoint'), import('../../net/guarded-agent')]))

/** Opens the endpoint that the host names: it may be on its own network, as servers of models are. */
export async function openEndpoint(
  { embeddingsUrl: url, embeddingsKey: key, embeddingsModel: model }: EmbeddingSettings,
  resolver: Resolver,
): Promise<Endpoint | undefined> {
  if (url === undefined) return undefined
  const [{ createEndpoint }, { createGuardedAgent }] = await loadClient()
  return createEndpoint({ url, key, model }, createGuardedAgent({ resolver, allowPrivate: true }))
}
