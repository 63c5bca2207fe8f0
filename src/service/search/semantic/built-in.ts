import type { Embedders } from './embedders'
import { builtInId } from './models'
import type { SearchThreads } from './threads'

/** Creates the built-in encoder, which runs in the threads of searches. */
export const createBuiltIn = (threads: SearchThreads): Embedders => ({
  id: builtInId,
  isBuiltIn: true,
  embedder: (id) =>
    id === builtInId
      ? {
          id,
          // A query that waits too long ranks by words alone.
          embed: (texts, kind, signal) =>
            kind === 'query'
              ? threads.query('embed', { texts }, signal)
              : threads.background('embed', { texts }),
        }
      : undefined,
})
