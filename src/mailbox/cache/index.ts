/** The records that the mailbox holds, bounded in bytes. */

export { Cache } from './cache'
export { InboxBook, type MailboxInbox, type ResolveInbox } from './inbox-book'
export { createReader, type ListOptions, type Page, type Reader, type ReadOptions } from './reader'
export { type Labelled, moveToThread, renameLabel } from './record-changes'
