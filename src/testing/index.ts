/**
 * A service in memory with a clock of its own, people who write and receive, and faults on demand: for tests of
 * agents, without a network and without waiting.
 *
 * @module
 */
export type { MailAddress, MailHeader } from '../mail/headers'
export type { Endpoint, WebhookHandler } from './endpoint'
export type { FaultOptions, FaultPlace, Faults } from './faults'
export type { Person, WrittenContent, WrittenFile, WrittenMail, WrittenReply } from './person'
export type { ReceivedFile, ReceivedMail } from './received-mail'
export type { Duration, VirtualClock } from './virtual-clock'
export { createWorld, type World, type WorldOptions } from './world'
