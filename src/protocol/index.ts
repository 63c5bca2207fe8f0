/**
 * The wire protocol between the mailbox and the service, for clients that implement it themselves. It has the
 * table of operations, their records, events, socket frames, and the codes of errors and closed sockets.
 *
 * The schemas are zod schemas. Each route has those of its body, query and answer:
 * `routes.messages.get.answer.parse(json)`.
 *
 * @module
 */

export type { AttachedMessage } from './attachments/attached-message'
export type { AttachmentText } from './attachments/attachment-text'
export { type ErrorCode, errorCodes } from './errors/error-codes'
export {
  bearerSubprotocolPrefix,
  type ClientFrame,
  type CloseReason,
  clientFrame as clientFrameSchema,
  closeCodes,
  heartbeatMs,
  realtimeSubprotocol,
  type ServerFrame,
  serverFrame as serverFrameSchema,
} from './frames'
export { provenView } from './proven-view'
export type { Account, ClaimLink, SignupAnswer } from './records/account'
export { type ErrorBody, errorBody as errorBodySchema } from './records/common'
export type { ApiKey, NewApiKey } from './records/console'
export type { Consumer, ConsumerState, DeadLetter, LeasedMessage } from './records/consumer'
export type { AuditAction, AuditEntry } from './records/desk/audit-entry'
export type { Note } from './records/desk/note'
export type { Domain, DomainRecord } from './records/domain'
export type {
  Draft,
  DraftStatus,
  DraftWithContent,
  WaitingDraft,
  WaitingDraftWithContent,
} from './records/draft'
export {
  type Event,
  type EventOf,
  type EventPage,
  type EventType,
  event as eventSchema,
  eventData as eventDataSchemas,
} from './records/event'
export type { Inbox } from './records/inbox'
export type { Label } from './records/label'
export type { List } from './records/list'
export type {
  Attachment,
  AttachmentInfo,
  AttachmentInput,
  Authentication,
  FoundCode,
  FoundLink,
  ListedMessage,
  Message,
  MessageSummary,
  Report,
  SendResult,
  SentBy,
  UnanswerableReason,
  Via,
} from './records/message'
export type { Suppression } from './records/suppression'
export type { Hold, Thread } from './records/thread'
export type { Upload } from './records/upload'
export type { Webhook, WebhookDelivery, WebhookWithSecret } from './records/webhook'
export type { Access, KeyScope, KeyScopes, Route, RouteAnswer, RouteInput } from './routes/route'
export { type Routes, routes } from './routes/routes'
