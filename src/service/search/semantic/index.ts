/** Semantic search. */

export { embedByJob } from './embed-account'
export type { Endpoint } from './embedders'
export { wantedModel } from './embedders'
export { Lulls } from './lull'
export { type EmbeddingSettings, openEndpoint } from './open-endpoint'
export { openPgvector } from './pgvector'
export {
  countEmbedded,
  embeddingsTopic,
  forgetMeanings,
  requestEmbedding,
  requestOutdated,
} from './request-embedding'
export {
  noSemantics,
  type SemanticHits,
  type SemanticScope,
  type SemanticSearch,
  type Sought,
} from './semantic-search'
export { createSemantics } from './semantics'
export { createThreads, type Threads } from './threads'
