/**
 * E-mail for AI agents: a mailbox that keeps itself in sync, and typed calls to its service.
 *
 * @module
 */
export {
  type Call,
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type FetchLike,
  type OpenSocket,
  type RetryOptions,
  type ServiceLike,
  type SocketLike,
  type SocketOptions,
} from './client'
export * from './mailbox'
export type {
  Account,
  AttachmentInfo as AttachmentRecord,
  ConsumerState,
  Draft as DraftRecord,
  DraftWithContent as DraftContentRecord,
  ErrorCode,
  Event,
  EventOf,
  EventPage,
  EventType,
  FoundCode,
  FoundLink,
  Inbox as InboxRecord,
  Label as LabelRecord,
  Message as FullMessageRecord,
  MessageSummary as MessageRecord,
  RestanteErrorOptions,
  RouteAnswer,
  RouteInput,
  Routes,
  SendResult,
  SignupAnswer,
  Thread as ThreadRecord,
} from './protocol'
export {
  HandlerError,
  isHandlerError,
  isNetworkError,
  isRestanteError,
  isServiceError,
  NetworkError,
  RestanteError,
  ServiceError,
  UsageError,
} from './protocol'
