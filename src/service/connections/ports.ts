import type { InboundPorts } from '../inbound'

/** The ports of mailboxes at other servers. */
export interface ConnectionPorts extends InboundPorts {
  readonly settings: InboundPorts['settings'] & {
    /** True where a mailbox may be on a private network, and be spoken to without TLS. */
    readonly connectionsAllowPrivate: boolean
  }
}
