import type { Kysely } from 'kysely'
import type { Secrets } from '../base'
import type { JobPorts } from '../jobs'
import type { LogPorts } from '../log'
import type { Database } from '../store/tables'
import type { InboxLists } from './account-inboxes'
import type { KeyUses } from './key-uses'
import type { KnownRecipients } from './known-recipients'
import type { PlanTable } from './plan'
import type { Revocations } from './revocations'
import type { SignupLimits } from './signup-limits'

/** Bounds what all accounts of a service store together. */
export interface TotalStorage {
  /**
   * Requires that these bytes may be stored, too. The sum is read once a second at most; what this process adds meanwhile
   * counts at once.
   *
   * @throws ServiceError `storage_limit_reached`
   */
  take(db: Kysely<Database>, bytes: number): Promise<void>
}

/** The settings of the service that accounts know. */
export interface AccountSettings {
  /** Domain of the addresses that the service gives. */
  readonly domain: string
  /** The URL where humans manage keys and claim accounts, without a slash at the end. */
  readonly consoleUrl: string
  /** True where agents may sign up. */
  readonly signup: boolean
  /** True if the address of an operator must be verified before they claim an account. */
  readonly verifyOperators: boolean
  readonly plans: PlanTable
  /** True where SPF, DKIM and DMARC of incoming mail are judged. */
  readonly checksSenders: boolean
  /** Domains whose signed reports are believed: those of a smarthost that rewrites the return path. */
  readonly reportDomains: readonly string[]
}

/** The ports of a change of an account's standing, within the service or from the command line. */
export interface ChangePorts extends LogPorts {
  readonly knownRecipients: KnownRecipients
  readonly settings: Pick<AccountSettings, 'plans'>
}

/** The ports of accounts, and of the rooms that stand on them. */
export interface AccountPorts extends JobPorts, ChangePorts {
  readonly secrets: Secrets
  readonly signupLimits: SignupLimits
  readonly totalStorage: TotalStorage
  readonly keyUses: KeyUses
  readonly inboxLists: InboxLists
  readonly revocations: Revocations
  readonly settings: AccountSettings
}
