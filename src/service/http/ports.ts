import type { InboundPorts } from '../inbound'
import type { WebhookPorts } from '../webhooks'

/** The ports of all operations of the interface. */
export interface HttpPorts extends InboundPorts, WebhookPorts {
  readonly settings: WebhookPorts['settings']
}
