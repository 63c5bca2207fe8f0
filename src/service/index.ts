/**
 * The service: an e-mail system for AI agents, embedded in this process or on PostgreSQL.
 *
 * @module
 */
export type { Admin } from './core/admin'
export type { Home } from './core/home'
export type { Plan, PlanInput } from './core/plan'
export type {
  Clock,
  Logger,
  MailExchanger,
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
