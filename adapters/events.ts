/**
 * Messages for event loops of every kind. All of these are views of `mailbox.incoming(options)`: they request
 * the next message when the one before is handled, and buffer none. Messages that RxJS gets with a consumer
 * are acknowledged by `handle`.
 *
 * @module
 */
export {
  type MailCallback,
  type MailHandler,
  type OnMailOptions,
  onMail,
  onMailCallback,
} from './events/callback'
export { type MailEmitter, type MailEmitterEvents, mailEmitter } from './events/emitter'
export { type HandledMail, type HandleOptions, handle } from './events/handle'
export {
  type MailObservable,
  type MailObserver,
  type MailSubscription,
  mailObservable,
} from './events/observable'
export { mailReadable, mailStream } from './events/streams'
