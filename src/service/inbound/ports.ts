import type { OutboundPorts } from '../outbound/delivery'
import type { SpamCheck } from './spam-check'

/** The ports of taking mail in. */
export interface InboundPorts extends OutboundPorts {
  readonly spamCheck: SpamCheck | undefined
}
