import type { ConnectionPorts } from '../connections'
import type { InboundDoor } from '../inbound/doors'
import type { Talk } from '../inbound/talk'
import type { SearchPorts } from '../search'
import type { WebhookPorts } from '../webhooks'

/** Ports of all operations of the API. */
export interface HttpPorts extends ConnectionPorts, SearchPorts, WebhookPorts {
  readonly inboundDoor: InboundDoor
  /** Null if the service delivers messages for real. */
  readonly talk: Talk | null
  /** Aborted when the service stops: long polls are answered with what they have. */
  readonly ending: AbortSignal
  readonly settings: WebhookPorts['settings'] & ConnectionPorts['settings']
}
