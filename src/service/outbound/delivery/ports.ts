import type { DomainPorts } from '../../domains'
import type { MessagePorts } from '../../messages'

/** The ports of writing mail and sending it. */
export interface OutboundPorts extends MessagePorts, DomainPorts {
  /** Mail that a person sends from a connected mailbox, past this service. */
  readonly sentElsewhere: {
    /** Takes in what is there by now, as far as that takes no time. Never rejects. */
    look(connectionId: string): Promise<void>
  }
}
