/** Submitting: a message is stored once, with its job and its event. */

export { openFiles, openStored, type StoredFile, storeFiles } from './attached-files'
export {
  type DraftRow,
  draftFileAt,
  draftFiles,
  draftFilesWithBytes,
  draftRecord,
  draftRow,
  draftWithContentRecord,
  headersOf,
} from './draft-records'
export { type ForwardedContent, forwardedContent } from './forwarded'
export { requireAnswerable, requireFewAnswers } from './loop-guard'
export { fromMarkdown, textOf } from './markdown'
export {
  commitSend,
  composeOutgoing,
  type Outgoing,
  type OutgoingContent,
  quotedContent,
  requireAdmittedBefore,
  requireContent,
  saysSomething,
} from './outgoing'
export {
  countOf,
  ownAddresses,
  type RecipientFields,
  readRecipients,
  readReplyTo,
  readSomeRecipients,
  replyRecipients,
} from './recipients'
export { requireAdmissible } from './send-check'
export { senderOf } from './sender'
export {
  findDraft,
  findReplay,
  type IdempotencyKey,
  idempotencyKeyOf,
  type Replayable,
  recordSend,
  redirectSend,
  type SendAnswer,
  senderIn,
  sentAs,
} from './sends'
