import type { InboundPorts } from '../inbound'
import type { InboundDoor } from '../inbound/doors'
import type { SearchPorts } from '../search'
import type { WebhookPorts } from '../webhooks'

/** The ports of all operations of the interface. */
export interface HttpPorts extends InboundPorts, SearchPorts, WebhookPorts {
  readonly inboundDoor: InboundDoor
  readonly settings: WebhookPorts['settings']
}
