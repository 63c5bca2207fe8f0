/** Lists and searches of messages, and their index. */

export { SearchIndexer } from './indexer'
export { listMessages } from './list-messages'
export { reindexMessage } from './search'
