/**
 * The service: an email system for AI agents, embedded in this process or on PostgreSQL.
 *
 * @module
 */

export type { InboundProvider } from '../protocol/records/inbound/provider'
export type { KeyRequest } from './accounts/api-keys'
export type { Home } from './accounts/host-account'
export type { PlanInput } from './accounts/plan'
export type { Admin } from './admin/admin'
export type { Approvals } from './admin/approvals'
export type { SoundSignature } from './inbound/authentication/dkim'
export type { MailEnvelope } from './inbound/ingest'
export type { TellLink } from './operators/sign-in'
export type { RecipientOutcome, Stage } from './outbound/delivery/outcome'
export type { OutgoingMail, Settle, Transport } from './outbound/delivery/transport'
export type { DraftDecision } from './outbound/drafts/approval'
export type { DraftFile } from './outbound/drafts/file'
export type {
  Clock,
  Embedder,
  EndpointAnswer,
  EndpointRequest,
  LogEntry,
  Logger,
  LogHint,
  MailExchanger,
  Ocr,
  OcrFile,
  PostToEndpoint,
  Resolver,
  ServiceRecord,
  Signals,
  SpamFilter,
  SpamVerdict,
  SuspectMail,
} from './ports'
export type { ServiceSocket } from './realtime/in-process'
export {
  createService,
  type Keys,
  type Listening,
  type Service,
  type ServicePorts,
} from './service'
export { environmentOptions, type ServiceOptions } from './settings'
