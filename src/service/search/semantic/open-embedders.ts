import { loadLater } from '../../base/load-later'
import type { Embedder, Resolver } from '../../ports'
import { createBuiltIn } from './built-in'
import type { Embedders } from './embedders'
import type { SearchThreads } from './threads'

/** Settings of embeddings: an endpoint if there is a URL, or else the built-in encoder, unless they are off. */
export interface EmbeddingSettings {
  embeddings: 'builtin' | 'off'
  embeddingsUrl?: string | undefined
  embeddingsKey?: string | undefined
  embeddingsModel: string
}

const loadClient = loadLater(() => Promise.all([import('./endpoint'), import('../../net/guarded-agent')]))

/**
 * Opens the embedders of the settings; undefined if they are off. An endpoint may be on a private network, as
 * model servers are. An embedder of the user's own replaces them all.
 */
export async function openEmbedders(
  { embeddings, embeddingsUrl: url, embeddingsKey: key, embeddingsModel: model }: EmbeddingSettings,
  threads: SearchThreads,
  resolver: Resolver,
  own?: Embedder,
): Promise<Embedders | undefined> {
  if (own) return { id: own.id, isBuiltIn: false, embedder: (id) => (id === own.id ? own : undefined) }
  if (url === undefined) return embeddings === 'off' ? undefined : createBuiltIn(threads)
  const [{ createEndpoint }, { createGuardedAgent }] = await loadClient()
  return createEndpoint({ url, key, model }, createGuardedAgent({ resolver, allowPrivate: true }))
}
