/** Cached records of the mailbox, bounded in bytes. */

export { Cache } from './cache'
export {
  createInboxes,
  InboxBook,
  type InboxCreateOptions,
  type Inboxes,
  type MailboxInbox,
  type ResolveInbox,
} from './inbox-book'
export { checkRead, createReader, type ListOptions, type Reader, type ReadOptions } from './reader'
export { type Labelled, moveToThread, renameLabel } from './record-changes'
