/** Outgoing messages: sending, forwarding, messages of the service itself. */

export { forwardMessage } from './forward'
export { replyToMessage, sendMessage } from './send'
export { sendServiceMail } from './service-mail'
