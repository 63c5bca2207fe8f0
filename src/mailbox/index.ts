/**
 * The mailbox: messages, kept in sync with the service.
 *
 * @module
 */
export type { Clock } from '../client'
export type { ListedPage, Listing, Page } from './base'
export {
  checkChoice,
  checkOptions,
  type OptionNames,
  type Wait,
  type WaitFilter,
  type WaitOptions,
} from './base'
export type { InboxCreateOptions, Inboxes, ListOptions, MailboxInbox, ReadOptions } from './cache'
export type {
  FoundMessage,
  MessageListOptions,
  MessageSearchOptions,
  Messages,
  SearchPage,
  ThreadListOptions,
  Threads,
} from './collections'
export type { Listener, MailboxEvents } from './emitter'
export type { LiveQuery } from './live'
export {
  Consumer,
  type ConsumerStart,
  type DeadLetter,
  type DeadLetterListOptions,
  type HandlerContext,
  type IncomingMessages,
  type IncomingOptions,
  type MessageHandler,
  type Run,
  type RunOptions,
} from './loops'
export { Mailbox } from './mailbox'
export {
  Attachment,
  type AttachmentContent,
  Draft,
  type DraftChanges,
  type DraftContent,
  type DraftDeleteOptions,
  type DraftGrounds,
  type DraftListOptions,
  type DraftOptions,
  type DraftReplyOptions,
  type DraftSendOptions,
  type DraftSent,
  type Drafts,
  type DraftWatchOptions,
  type ForwardOptions,
  isHandledOtherwise,
  type Labels,
  Message,
  type MessageWatchOptions,
  type OutgoingAttachment,
  type OutgoingContent,
  type PromptOptions,
  type Recipient,
  type Recipients,
  type Replay,
  type ReplyOptions,
  type Sender,
  type SendOptions,
  type SentMessage,
  splitRecipients,
  Thread,
  type ThreadPromptOptions,
  ThreadSummary,
  type ThreadWatchOptions,
  type WatchOptions,
} from './records'
export type { MailboxOptions, MailboxSettings } from './settings'
export type {
  EmbeddedOptions,
  RemoteOptions,
  SourceKind,
  SyncState as MailboxState,
  SyncStatus,
} from './sync'
export { isSenderProven, type NextReplyOptions, type WaitPredicate } from './waits'
export type { NodeResponse, WebhookOptions, WebhookReceiver } from './webhook'
export type { NodeRequest } from './webhook-body'
export { createWebhookReceiver, type WebhookReceiverOptions } from './webhook-standalone'
