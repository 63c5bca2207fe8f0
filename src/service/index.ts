/**
 * The service: an e-mail system for AI agents, embedded in this process or on PostgreSQL.
 *
 * @module
 */
export type { Admin } from './core/admin'
export type { Home } from './core/home'
export type { MailEnvelope } from './core/ingest'
export type { Plan, PlanInput } from './core/plan'
export type { RecipientOutcome } from './delivery/outcome'
export type { OutgoingMail, Transport } from './delivery/transport'
export type { MailParser } from './mail-parser'
export type {
  Clock,
  EndpointAnswer,
  EndpointRequest,
  Logger,
  MailExchanger,
  PostToEndpoint,
  Resolver,
  Signals,
  SpamFilter,
  SpamVerdict,
  SuspectMail,
} from './ports'
export { createService, type Keys, type Listening, type Service, type ServicePorts } from './service'
export {
  environmentName,
  environmentOptions,
  flagName,
  type ServiceOptions,
  type Settings,
  settingsSchema,
} from './settings'
