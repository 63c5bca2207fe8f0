import type { DomainPorts } from '../../domains/ports'
import type { MessagePorts } from '../../messages/ports'

/** Ports of composing and sending messages. */
export interface OutboundPorts extends MessagePorts, DomainPorts {
  /** Messages that a person sends from a connected mailbox, outside this service. */
  readonly sentElsewhere: {
    /** Ingests the new ones, waiting 2 s at most. Never rejects. */
    look(connectionId: string): Promise<void>
  }
}
