import type { DomainPorts } from '../../domains'
import type { MessagePorts } from '../../messages'

/** The ports of writing mail and sending it. */
export interface OutboundPorts extends MessagePorts, DomainPorts {}
