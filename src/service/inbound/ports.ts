import type { OutboundPorts } from '../outbound/delivery/ports'
import type { SpamCheck } from './spam-check'

/** Ports of inbound messages. */
export interface InboundPorts extends OutboundPorts {
  readonly spamCheck: SpamCheck | undefined
}
