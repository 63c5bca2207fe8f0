/** SMTP receiver, in a thread of its own (RFC 5321). */

export { readCertificate } from './certificate'
export { type MemoryBudget, MessageBuffer } from './message-buffer'
export type { SmtpDoor, SmtpReceiverOptions } from './receiver'
export type { ClaimedSpf, SenderVerdict } from './sender-check'
export { createThreadedReceiver, type ThreadedReceiver } from './threaded-receiver'
