/** Inbound messages: stored in one transaction before the sender gets 250. */

export { dropOldDeliveries } from './deliveries'
export {
  createIngest,
  type Ingest,
  isSpam,
  type MailEnvelope,
  type Outcome,
  ownSenders,
  receive,
} from './ingest'
export { createMailParser } from './mail-parser'
export type { InboundPorts } from './ports'
export { checkRecipient, findAccountId, findReachedInboxes } from './recipient-check'
export { believeReport } from './reports'
export { dropSeenSignatures } from './seen-signatures'
export { SpamCheck } from './spam-check'
export { StoredVerdicts } from './stored-verdicts'
export { treatmentOf } from './treated-senders'
export { completeVerdict } from './verdict'
