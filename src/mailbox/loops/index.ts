/** Iterators of incoming messages, consumers and the runner. */

export { Consumer, type DeadLetter, type DeadLetterListOptions } from './consumer'
export { type ConsumerHub, createConsumerHub } from './consumer-hub'
export { type ConsumerStart, type IncomingMessages, type IncomingOptions, isHandedOut } from './incoming'
export { checkIncoming, createIncomingHub, type IncomingHub } from './incoming-hub'
export type { HandlerContext, MessageHandler, Run, RunOptions } from './runner'
