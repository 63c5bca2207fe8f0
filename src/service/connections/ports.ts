import type { InboundPorts } from '../inbound/ports'

/** Bounds how often logins are tried, so that nobody can guess passwords through this service. */
export interface TrialLimits {
  /**
   * Counts a trial of a caller.
   *
   * @param client Rate limit key of the caller's address; null if it is not limited.
   * @throws ServiceError `rate_limited`
   */
  countCaller(caller: { tenantId: string; client: string | null }): Promise<void>
  /** Counts the logins of a trial. @throws ServiceError `rate_limited` */
  countLogins(logins: readonly string[]): Promise<void>
}

/** Ports of mailboxes at other servers. */
export interface ConnectionPorts extends InboundPorts {
  readonly trialLimits: TrialLimits
  readonly settings: InboundPorts['settings'] & {
    /** True if a mailbox may be on a private network, and used without TLS. */
    readonly connectionsAllowPrivate: boolean
  }
}
