import type { InboundPorts } from '../inbound'

/** Bounds how often logins are tried, so that nobody guesses passwords through this service. */
export interface TrialLimits {
  /**
   * Counts a trial.
   *
   * @param client What the address of the caller counts as; null if it is not limited.
   * @throws ServiceError `rate_limited`
   */
  count(caller: { tenantId: string; client: string | null }, logins: readonly string[]): Promise<void>
}

/** The ports of mailboxes at other servers. */
export interface ConnectionPorts extends InboundPorts {
  readonly trialLimits: TrialLimits
  readonly settings: InboundPorts['settings'] & {
    /** True where a mailbox may be on a private network, and be spoken to without TLS. */
    readonly connectionsAllowPrivate: boolean
  }
}
