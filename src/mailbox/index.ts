/**
 * The mailbox: mail that keeps itself in sync.
 *
 * @module
 */
export {
  type UntrustedText,
  type UntrustedTextOptions,
  untrustedField,
  untrustedText,
} from '../mail/untrusted-text'
export { Attachment } from './attachment'
export type { Clock } from './clock'
export type { MessageListOptions, Messages, ThreadListOptions, Threads } from './collections'
export type { EmbeddedOptions, RemoteOptions } from './connection'
export { Consumer, type DeadLetter, type DeadLetterListOptions } from './consumer'
export {
  Draft,
  type DraftChanges,
  type DraftContent,
  type DraftListOptions,
  type DraftOptions,
  type DraftReplyOptions,
  type DraftSent,
  type Drafts,
} from './drafts'
export type { Listener, MailboxEvents } from './emitter'
export type { MailboxInbox } from './inbox-book'
export type { IncomingMessages, IncomingOptions } from './incoming'
export type { Labels } from './labels'
export type { LiveQuery } from './live-query'
export { Mailbox } from './mailbox'
export { Message, Thread } from './message'
export type { Sender } from './message-content'
export type {
  ForwardOptions,
  OutgoingContent,
  ReplyOptions,
  SendOptions,
  SentMessage,
} from './outgoing'
export type { AttachmentContent, OutgoingAttachment } from './outgoing-file'
export type { ListOptions, Page } from './page'
export type { ReadOptions } from './reader'
export type { HandlerContext, MessageHandler, Run, RunOptions } from './runner'
export type { MailboxOptions, MailboxSettings, MailboxState } from './settings'
export type { SyncStatus } from './sync-machine'
export { ThreadSummary } from './thread-summary'
export type { PromptOptions } from './to-prompt'
export type { Wait, WaitFilter, WaitOptions } from './wait-options'
export type { NextReplyOptions, WaitPredicate } from './waits'
export type { DraftWatchOptions, MessageWatchOptions, ThreadWatchOptions, WatchOptions } from './watch'
export type { NodeResponse, WebhookOptions, WebhookReceiver } from './webhook'
export type { NodeRequest } from './webhook-body'
