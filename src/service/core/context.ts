import type { MailParser } from '../mail-parser'
import type { BlobStore, Clock, Logger, Resolver, Signals } from '../ports'
import type { Store } from '../store/store'
import type { InboxLists } from './account-inboxes'
import type { Admissions } from './admissions'
import type { KeyUses } from './key-uses'
import type { PlanTable } from './plan'
import type { Revocations } from './revocations'
import type { Secrets } from './secrets'
import type { SignupLimits } from './signup-limits'
import type { SpamCheck } from './spam-check'

/** What the use cases know of the service's settings. */
export interface CoreSettings {
  /** Domain of the addresses that the service gives. */
  domain: string
  /** Where humans manage keys and claim accounts, without a slash at the end. */
  consoleUrl: string
  /** Whether agents may sign up. */
  signup: boolean
  /** For development: webhooks may go to private addresses, and over plain HTTP. */
  webhooksAllowPrivate: boolean
  /** How long events are kept, and what was sent of them to webhooks. */
  keepEventsMs: number
  /** How long after its end the mail of an account is kept that nobody claimed. */
  keepExpiredMs: number
  plans: PlanTable
}

/** What every use case is handed: the ports and the settings. */
export interface Core {
  readonly store: Store
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly signals: Signals
  readonly resolver: Resolver
  readonly parser: MailParser
  readonly spamCheck: SpamCheck | undefined
  readonly secrets: Secrets
  readonly settings: CoreSettings
  readonly logger: Logger
  readonly admissions: Admissions
  readonly signupLimits: SignupLimits
  readonly keyUses: KeyUses
  readonly inboxLists: InboxLists
  readonly revocations: Revocations
}

/** What a change of an account needs. */
export type Ground = Pick<Core, 'store' | 'clock' | 'signals' | 'admissions'> & {
  readonly settings: Pick<CoreSettings, 'plans'>
}

/** Time as the database and the wire have it. */
export const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString()
export const now = (core: Pick<Core, 'clock'>): string => timeOf(core.clock.now())
