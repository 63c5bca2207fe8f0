import type { Secrets } from '../base'
import type { JobPorts } from '../jobs'
import type { LogPorts } from '../log'
import type { InboxLists } from './account-inboxes'
import type { KeyUses } from './key-uses'
import type { KnownRecipients } from './known-recipients'
import type { PlanTable } from './plan'
import type { Revocations } from './revocations'
import type { SignupLimits } from './signup-limits'

/** The settings of the service that accounts know. */
export interface AccountSettings {
  /** Domain of the addresses that the service gives. */
  readonly domain: string
  /** The URL where humans manage keys and claim accounts, without a slash at the end. */
  readonly consoleUrl: string
  /** True where agents may sign up. */
  readonly signup: boolean
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
  readonly keyUses: KeyUses
  readonly inboxLists: InboxLists
  readonly revocations: Revocations
  readonly settings: AccountSettings
}
