/** Delivery: the only part that speaks SMTP outwards. */

export { type DeliveryOutcome, insertDeliveries, recordReported } from './deliveries'
export { type BounceAddress, coveredBy, envelopeSenderOf, readBounceAddress } from './envelope-sender'
export { createPolicyFetcher } from './mta-sts-fetch'
export { createPolicies, dropOldPolicies } from './mta-sts-policies'
export { classifyReply, defer, type RecipientOutcome, type Stage } from './outcome'
export type { OutboundPorts } from './ports'
export type { OutgoingMail, Settle, Transport } from './transport'
export { createCaptureTransport } from './transport-capture'
export { createDirectTransport } from './transport-direct'
export { createRelayTransport } from './transport-relay'
export { createDeliveryWorker } from './worker'
