import type { Kysely } from 'kysely'
import type { Secrets } from '../base/secrets'
import type { JobPorts } from '../jobs/ports'
import type { LogPorts } from '../log/ports'
import type { Database } from '../store/tables/schema'
import type { InboxLists } from './account-inboxes'
import type { KeyUses } from './key-uses'
import type { KnownRecipients } from './known-recipients'
import type { PlanTable } from './plan'
import type { Revocations } from './revocations'
import type { SignupLimits } from './signup-limits'

/** Limit on the storage of all accounts together. */
export interface TotalStorage {
  /**
   * Requires that these bytes may be stored too. Reads the sum at most once a second, and adds bytes to it.
   *
   * @throws ServiceError `storage_limit_reached`
   */
  take(db: Kysely<Database>, bytes: number): Promise<void>
}

/** Settings of the service that accounts use. */
export interface AccountSettings {
  /** Domain of the addresses that the service assigns. */
  readonly domain: string
  /** URL where humans manage keys and claim accounts, without a trailing slash. */
  readonly consoleUrl: string
  /** True if agents may sign up. */
  readonly signup: boolean
  /** True if the address of an operator must be verified before they claim an account. */
  readonly verifyOperators: boolean
  readonly plans: PlanTable
  /** True if SPF, DKIM and DMARC of incoming messages are evaluated. */
  readonly checksSenders: boolean
  /** Domains whose signed reports are trusted: those of a smarthost that rewrites the return path. */
  readonly reportDomains: readonly string[]
}

/** Ports for changing the standing of an account, within the service or from the command line. */
export interface ChangePorts extends LogPorts {
  readonly knownRecipients: KnownRecipients
  readonly settings: Pick<AccountSettings, 'plans'>
}

/** Ports of accounts, and of the modules that build on them. */
export interface AccountPorts extends JobPorts, ChangePorts {
  readonly secrets: Secrets
  readonly signupLimits: SignupLimits
  readonly totalStorage: TotalStorage
  readonly keyUses: KeyUses
  readonly inboxLists: InboxLists
  readonly revocations: Revocations
  readonly settings: AccountSettings
}
