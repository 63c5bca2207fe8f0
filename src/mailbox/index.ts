/**
 * The mailbox: mail that keeps itself in sync.
 *
 * @module
 */
export { Attachment } from './attachment'
export type { Clock } from './clock'
export type { ListOptions, MessageListOptions, Messages, Page, Threads } from './collections'
export type { EmbeddedOptions, RemoteOptions } from './connection'
export type { Listener, MailboxEvents } from './emitter'
export type { MailboxInbox } from './inbox-book'
export type { IncomingMessages, IncomingOptions } from './incoming'
export { Mailbox, type MailboxOptions, type MailboxSettings, type MailboxState } from './mailbox'
export { Message, type Sender, Thread } from './message'
export type {
  ForwardOptions,
  OutgoingAttachment,
  OutgoingContent,
  ReplyOptions,
  SendOptions,
  SentMessage,
} from './outgoing'
export type { ReadOptions } from './reader'
export type { SyncStatus } from './sync-machine'
export { ThreadSummary } from './thread-summary'
