/**
 * Email for AI agents: a mailbox that keeps itself in sync, and typed calls to its service.
 *
 * A mailbox returns `Message`, `Thread` and `Draft`. The `record` of each is the data of the service, of a
 * type named `…Record`. The other types of the wire are in `restante/protocol`.
 *
 * @module
 */
export {
  type Call,
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type ServiceLike,
} from './client/client'
export type { FetchLike, OpenSocket, SocketLike, SocketOptions } from './client/platform/platform'
export type { RetryOptions } from './client/retry'
export { addressKey } from './mail/headers/address'
export { type Answerable, type ReplyTo, replyRecipients } from './mail/headers/reply-recipients'
export { forwardSubject, replySubject } from './mail/headers/subject'
export {
  type UntrustedText,
  type UntrustedTextOptions,
  untrustedField,
  untrustedText,
} from './mail/prompt/untrusted-text'
export type { ListedPage, Listing, Page } from './mailbox/base/pages'
export type { Wait, WaitFilter, WaitOptions } from './mailbox/base/wait-options'
export { bodyWarnings } from './mailbox/body-warnings'
export type { InboxCreateOptions, Inboxes, MailboxInbox } from './mailbox/cache/inbox-book'
export type { ListOptions, ReadOptions } from './mailbox/cache/reader'
export type {
  FoundMessage,
  MessageListOptions,
  MessageSearchOptions,
  Messages,
  SearchPage,
  ThreadFilterOptions,
  ThreadListOptions,
  Threads,
} from './mailbox/collections'
export type { Listener, MailboxEvents } from './mailbox/emitter'
export type { LiveQuery } from './mailbox/live/live-query'
export { Consumer } from './mailbox/loops/consumer'
export type { DeadLetter, DeadLetterListOptions } from './mailbox/loops/consumer-letters'
export type { ConsumerStart, IncomingMessages, IncomingOptions } from './mailbox/loops/incoming'
export type { HandlerContext, MessageHandler, Run, RunOptions } from './mailbox/loops/runner'
export { Mailbox } from './mailbox/mailbox'
export { Attachment, type OpenedMessage } from './mailbox/records/attachment'
export {
  Draft,
  type DraftChanges,
  type DraftContent,
  type DraftContext,
  type DraftDeleteOptions,
  type DraftListOptions,
  type DraftOptions,
  type DraftReplyOptions,
  type DraftSendOptions,
  type DraftSent,
  type Drafts,
} from './mailbox/records/drafts'
export type { Invitation } from './mailbox/records/invitation'
export type {
  InvitationAnswerOptions,
  InvitationProposalOptions,
} from './mailbox/records/invitation-answers'
export type { Labels } from './mailbox/records/labels'
export {
  type Assignee,
  type HandOverOptions,
  type HoldOptions,
  Message,
  type Sender,
  Thread,
  type ThreadPromptOptions,
} from './mailbox/records/message'
export {
  type ForwardOptions,
  type OutgoingContent,
  type Replay,
  type ReplyOptions,
  type SendOptions,
  type SentMessage,
  splitRecipients,
} from './mailbox/records/outgoing'
export type { AttachmentContent, OutgoingAttachment } from './mailbox/records/outgoing-file'
export type { AttachmentTextOptions } from './mailbox/records/read-attachment'
export type { Recipient, Recipients } from './mailbox/records/recipients'
export { ThreadSummary } from './mailbox/records/thread-summary'
export type { PromptOptions } from './mailbox/records/to-prompt'
export { isHandledOtherwise } from './mailbox/records/turn'
export type {
  DraftWatchOptions,
  MessageWatchOptions,
  ThreadWatchOptions,
  WatchOptions,
} from './mailbox/records/watch'
export type { MailboxOptions, MailboxSettings } from './mailbox/settings'
export type { EmbeddedOptions, RemoteOptions } from './mailbox/sync/connection'
export type { SourceKind } from './mailbox/sync/source'
export type { SyncState as MailboxState } from './mailbox/sync/sync'
export type { SyncStatus } from './mailbox/sync/sync-machine'
export { isSenderProven } from './mailbox/waits/wait-filter'
export type { NextReplyOptions, WaitPredicate } from './mailbox/waits/waits'
export type { NodeResponse, WebhookOptions, WebhookReceiver } from './mailbox/webhook'
export type { NodeRequest } from './mailbox/webhook-body'
export { createWebhookReceiver, type WebhookReceiverOptions } from './mailbox/webhook-standalone'
export {
  HandlerError,
  isHandlerError,
  isNetworkError,
  isRestanteError,
  isServiceError,
  NetworkError,
  RestanteError,
  type RestanteErrorOptions,
  ServiceError,
  UsageError,
} from './protocol/errors/error'
export type { ErrorCode } from './protocol/errors/error-codes'
export { checkChoice, checkOptions, type OptionNames } from './protocol/options'
export { type FieldProof, ignoredFields, provenView } from './protocol/proven-view'
export type { Account } from './protocol/records/account'
export type { ConsumerState } from './protocol/records/consumer'
export type {
  Draft as DraftRecord,
  DraftStatus,
  DraftWithContent as DraftContentRecord,
} from './protocol/records/draft'
export type { Event, EventOf, EventType } from './protocol/records/event'
export type { Invitation as InvitationRecord } from './protocol/records/invitation'
export type { Label as LabelRecord } from './protocol/records/label'
export type {
  AttachmentInfo as AttachmentRecord,
  FoundCode,
  FoundLink,
  MailList,
  MessageSummary as MessageRecord,
  ReplyTarget,
  SendResult,
  SentBy,
  TextPiece,
  Via,
} from './protocol/records/message'
export type { Hold, Thread as ThreadRecord } from './protocol/records/thread'
export type { SearchWarning } from './protocol/routes/params'
export type { Clock } from './protocol/time/clock'
