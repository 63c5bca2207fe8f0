/**
 * The service: an email system for AI agents, embedded in this process or on PostgreSQL.
 *
 * @module
 */

export type { InboundProvider } from '../protocol/records'
export type { Home, KeyRequest, PlanInput } from './accounts'
export type { TellLink } from './console'
export type { Admin, Approvals } from './host'
export type { MailEnvelope } from './inbound'
export type { SoundSignature } from './inbound/authentication'
export type { OutgoingMail, RecipientOutcome, Settle, Stage, Transport } from './outbound/delivery'
export type { DraftDecision, DraftFile } from './outbound/drafts'
export type {
  Clock,
  EndpointAnswer,
  EndpointRequest,
  LogEntry,
  Logger,
  LogHint,
  MailExchanger,
  PostToEndpoint,
  Resolver,
  Signals,
  SpamFilter,
  SpamVerdict,
  SuspectMail,
} from './ports'
export type { ServiceSocket } from './realtime'
export {
  createService,
  type Keys,
  type Listening,
  type Service,
  type ServicePorts,
} from './service'
export { environmentOptions, type ServiceOptions } from './settings'
