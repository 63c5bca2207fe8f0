/** Messages: adding and reading them, threads, labels, attachments, originals. */

export {
  attachmentRows,
  contentColumns,
  MessageAdder,
  maxKeptBytes,
  type NewMessage,
  programColumns,
  reportOf,
  type StoredReport,
  searchTopic,
  storedBytesOf,
} from './add-message'
export { readAttachment, readAttachmentFile } from './attachments'
export { assignLabel, unassignLabel } from './label-assign'
export { labelNamesOf } from './label-names'
export { createLabel, deleteLabel, findLabelId, listLabels, renameLabel } from './labels'
export { isAnswered, type MessageFilters, matches, withLabel } from './message-filters'
export {
  attachmentsOf,
  makeAnswerable,
  messageRow,
  messageRowIn,
  readMessage,
  readRaw,
  readSummaries,
  recipientStatuses,
  saveVerdict,
  summariesOf,
} from './messages'
export {
  condemnBlobs,
  erasedTopic,
  type Original,
  readOriginal,
  readStored,
  storeOriginal,
} from './originals'
export type { MessagePorts } from './ports'
export {
  type AttachmentRow,
  authenticationOf,
  type MessageRow,
  messageColumns,
  summaryColumns,
  summaryRecord,
  type ThreadRow,
} from './records'
export { hasAway, isOfMessagesOnly } from './system-labels'
export { noteNames } from './thread-index'
export { dropThreadLabels, rebuiltThread, saveThread } from './thread-refresh'
export { findThread, listThreads, readThread, threadRowIn, threadsByIds } from './threads'
export {
  countAnswer,
  exhaustedAnswers,
  hopsMark,
  hopsOf,
  maxRecipients,
  sentIdsNamedBy,
  unanswerableOf,
} from './unanswerable'
export { createUpload, expireUpload, uploadRow } from './uploads'
