/** Delivery: the only module that sends by SMTP. */

export { type DeliveryOutcome, insertDeliveries, recordReported } from './deliveries'
export { type BounceAddress, coveredBy, envelopeSenderOf, readBounceAddress } from './envelope-sender'
export { createPolicyFetcher } from './mta-sts-fetch'
export { createPolicies, dropOldPolicies } from './mta-sts-policies'
export {
  classifyError,
  classifyReply,
  defer,
  type RecipientOutcome,
  type SmtpError,
  type Stage,
} from './outcome'
export type { OutboundPorts } from './ports'
export { openSession } from './session-pool'
export { createCaptureTransport, type OutgoingMail, type Settle, type Transport } from './transport'
export { createDirectTransport } from './transport-direct'
export { createRelayTransport, tryRelay } from './transport-relay'
export { createDeliveryWorker } from './worker'
