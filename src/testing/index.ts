/**
 * A service in memory for tests of agents, without a network and without waiting: with its own clock, people
 * who write and receive messages, and faults on demand.
 *
 * @module
 */
export type { MailAddress } from '../mail/headers/address'
export type { MailHeader } from '../mail/headers/header-reader'
export type { Endpoint, WebhookHandler } from './endpoint'
export type { FaultOptions, FaultPlace, Faults } from './faults'
export type { Person, WrittenContent, WrittenFile, WrittenMail, WrittenReply } from './person'
export type { ReceivedFile, ReceivedMail } from './received-mail'
export type { Duration, VirtualClock } from './virtual-clock'
export { createWorld, type World, type WorldOptions } from './world'
