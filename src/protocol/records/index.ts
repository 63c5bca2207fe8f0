/** Resources on the wire. */

export {
  type Account,
  type AccountState,
  account,
  type Capabilities,
  type ClaimLink,
  claimLink,
  idempotencyKey,
  type SignupAnswer,
  signupAnswer,
  signupBody,
} from './account'
export {
  type ErrorBody,
  errorBody,
  maxWaitMs,
  noContent,
  openEnum,
  pageAnswer,
  pageQuery,
  seq,
  timeInput,
  timestamp,
  waitMs,
} from './common'
export {
  type ApiKey,
  apiKey,
  apiKeyBody,
  type ClaimAnswer,
  type ClaimPreview,
  claimAnswer,
  claimBody,
  claimPreview,
  type NewApiKey,
  newApiKey,
} from './console'
export {
  type AckBody,
  ackBody,
  type Consumer,
  type ConsumerBody,
  type ConsumerState,
  consumer,
  consumerBody,
  consumerName,
  consumerState,
  type DeadLetter,
  deadLetter,
  type LeaseBody,
  type LeasedMessage,
  type LeasesAnswer,
  leaseBody,
  leasedMessage,
  leaseMs,
  leasesAnswer,
  leasesBody,
  maxAttempts,
  type NackBody,
  nackBody,
  type RedriveBody,
  redriveBody,
} from './consumer'
export type { CustomHeaders } from './custom-headers'
export { type Domain, type DomainBody, type DomainRecord, domain, domainBody } from './domain'
export {
  approvalBody,
  type Draft,
  type DraftBody,
  type DraftChanges,
  type DraftStatus,
  type DraftWithContent,
  draft,
  draftBody,
  draftChanges,
  draftSendBody,
  draftStatuses,
  draftWithContent,
  rejectionBody,
  unsentDraft,
  type WaitingDraft,
  type WaitingDraftWithContent,
  waitingDraft,
  waitingDraftWithContent,
} from './draft'
export {
  type DeletedRecord,
  type Event,
  type EventOf,
  type EventPage,
  type EventType,
  event,
  eventData,
  eventPage,
  eventTypes,
} from './event'
export {
  type InboundAnswer,
  type InboundProvider,
  inboundAnswer,
  inboundProvider,
  inboundQuery,
  providerPaths,
  sourceId,
} from './inbound'
export { type Inbox, type InboxBody, inbox, inboxBody, inboxChanges } from './inbox'
export { type Label, label, labelName } from './label'
export { foldLabelName, isSpam, spamLabelId } from './label-names'
export { type List, list, listBody } from './list'
export {
  type Attachment,
  type AttachmentInfo,
  type AttachmentInput,
  type Authentication,
  attachment,
  type BelievedReport,
  believedReport,
  type FoundCode,
  type FoundLink,
  forwardBody,
  type Highlights,
  type ListedMessage,
  listedMessage,
  type Message,
  type MessageSummary,
  message,
  messageSummary,
  type Report,
  replyBody,
  type SendResult,
  sendBody,
  sendResult,
  type TextPiece,
  type UnanswerableReason,
} from './message'
export type { DeliveryReason, RecipientStatus } from './recipient-status'
export { type Suppression, suppressedAddress, suppression } from './suppression'
export { type MergedThread, type Thread, thread } from './thread'
export { type Upload, upload } from './upload'
export { maxMailBytes, maxUploadBytes } from './upload-limit'
export { type WaitFilterData, type WaitTokenData, waitToken } from './wait-token'
export {
  type Webhook,
  type WebhookBody,
  type WebhookChanges,
  type WebhookDelivery,
  type WebhookWithSecret,
  webhook,
  webhookBody,
  webhookChanges,
  webhookDelivery,
  webhookTestType,
  webhookWithSecret,
} from './webhook'
