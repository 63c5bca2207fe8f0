/** Lists and searches of messages, and their index. */

export { SearchIndexer } from './indexer'
export { listMessages } from './list-messages'
export type { SearchPorts } from './search'
export { searchThreads } from './search-threads'
export { noSemantics } from './semantic'
export { forgetMessages, reindexMessage } from './take-in'
