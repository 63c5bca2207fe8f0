/** The SMTP receiver, in a thread of its own (RFC 5321). */

export type { SmtpDoor, SmtpReceiverOptions } from './receiver'
export { createThreadedReceiver, type ThreadedReceiver } from './threaded-receiver'
