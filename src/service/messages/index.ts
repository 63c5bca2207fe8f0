/** Messages: adding, threads, labels, attachments, originals, reading. */

export {
  attachmentRows,
  contentColumns,
  MessageAdder,
  type NewMessage,
  reportOf,
  type StoredReport,
  searchTopic,
} from './add-message'
export { readAttachment, readAttachmentFile } from './attachments'
export { assignLabel, unassignLabel } from './label-assign'
export { labelNamesOf } from './label-names'
export { createLabel, deleteLabel, findLabelId, listLabels, renameLabel } from './labels'
export { type MessageFilters, matches, withLabel } from './message-filters'
export {
  attachmentsOf,
  makeAnswerable,
  messageRow,
  messageRowIn,
  readMessage,
  readRaw,
  readSummaries,
  recipientStatuses,
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
export { hopsMark, hopsOf, maxRecipients, sentIdsNamedBy, unanswerableOf } from './unanswerable'
export { createUpload, expireUpload, uploadRow } from './uploads'
