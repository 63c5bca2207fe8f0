/** Taking mail in: one transaction before anybody hears 250. */

export { createIngest, type MailEnvelope } from './ingest'
export { createMailParser } from './mail-parser'
export type { InboundPorts } from './ports'
export { checkRecipient, findAccountId } from './recipient-check'
export { believeReport } from './reports'
export { SpamCheck } from './spam-check'
