/** Messages, threads, drafts and attachments, with their operations. */

export { Attachment } from './attachment'
export {
  createDrafts,
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
} from './drafts'
export { createHandles, requireMessageId, requireThreadId } from './handles'
export { createLabels, type Labels } from './labels'
export { type HandleContext, Message, type Sender, Thread, type ThreadPromptOptions } from './message'
export {
  type ForwardOptions,
  type OutgoingContent,
  type Replay,
  type ReplyOptions,
  type SendOptions,
  type SentMessage,
  sendMail,
  splitRecipients,
} from './outgoing'
export type { AttachmentContent, OutgoingAttachment } from './outgoing-file'
export type { Recipient, Recipients } from './recipients'
export { ThreadSummary } from './thread-summary'
export type { PromptOptions } from './to-prompt'
export { isHandledOtherwise, Turn } from './turn'
export {
  type DraftWatchOptions,
  includeOf,
  type MessageWatchOptions,
  type ThreadWatchOptions,
  type WatchContext,
  type WatchOptions,
  watchMessages,
  watchThreads,
} from './watch'
