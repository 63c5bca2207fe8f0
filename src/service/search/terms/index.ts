/** Words of messages, as indexed. */

export {
  addressTerm,
  attachmentTerm,
  type DocumentTerms,
  directionTerm,
  documentTerms,
  type Field,
  type IndexedTexts,
  surfaceTerm,
  termIn,
} from './document-terms'
export { fold } from './fold'
export { isForeign } from './language'
export { stemOf } from './stem'
export { isHalfPair, soughtTokens, tokensOf } from './tokens'
