import type { TalkAnswer, TalkBody } from '../../../protocol/records/console'
import type { Scope } from '../../accounts/keys'
import type { ConnectionPorts } from '../../connections/ports'
import type { InboundEndpoint } from '../../inbound/http/endpoint'
import type { ExtractionPorts } from '../../messages/ports'
import type { SearchPorts } from '../../search/search'
import type { WebhookPorts } from '../../webhooks/ports'

/** Sends messages to inboxes as outside people would, at a service that captures its own. */
export interface Talk {
  /**
   * Sends a message, which arrives by the SMTP port like any other.
   *
   * @throws ServiceError `not_found`, `invalid_request`, `mail_refused`
   */
  write(scope: Scope, mail: TalkBody): Promise<TalkAnswer>
}

/** Ports of all operations of the API. */
export interface HttpPorts extends ConnectionPorts, ExtractionPorts, SearchPorts, WebhookPorts {
  readonly inboundEndpoint: InboundEndpoint
  /** Null if the service delivers messages for real. */
  readonly talk: Talk | null
  /** Aborted when the service stops: long polls are answered with what they have. */
  readonly ending: AbortSignal
  readonly settings: WebhookPorts['settings'] & ConnectionPorts['settings']
}
