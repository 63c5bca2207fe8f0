/** Search by meaning. */

export { noSemantics, type SemanticHit, type SemanticScope, type SemanticSearch } from './semantic-search'
