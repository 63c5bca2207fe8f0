import type { ConnectionPorts } from '../connections'
import type { InboundDoor } from '../inbound/doors'
import type { Talk } from '../inbound/talk'
import type { SearchPorts } from '../search'
import type { WebhookPorts } from '../webhooks'

/** The ports of all operations of the interface. */
export interface HttpPorts extends ConnectionPorts, SearchPorts, WebhookPorts {
  readonly inboundDoor: InboundDoor
  /** Null where mail leaves. */
  readonly talk: Talk | null
  /** Aborted once the service ends what it has: whoever waits is answered with what there is. */
  readonly ending: AbortSignal
  readonly settings: WebhookPorts['settings'] & ConnectionPorts['settings']
}
