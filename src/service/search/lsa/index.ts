/** Latent semantic analysis: vectors of texts, learned from which words occur together in messages. */

export { type Features, featuresOf } from './features'
export {
  documentsEach,
  embedFeatures,
  type KeyPlaces,
  type LsaModel,
  learnModel,
  minLearned,
  placesOf,
  pruneModel,
  quantize,
} from './model'
export { modelBytes, modelOf } from './model-bytes'
