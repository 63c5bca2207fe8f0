import type { RestanteError } from '../protocol/errors/error'
import type { Event } from '../protocol/records/event'
import type { Clock } from '../protocol/time/clock'
import type { BoundedMap } from './base/bounded-map'
import type { Message } from './records/message'
import type { NodeRequest } from './webhook-body'

/** Secret and handlers of a webhook. */
export interface WebhookOptions {
  /** `whsec_…`, as the service showed it; several during a rotation. */
  secret: string | readonly string[]
  /** Called for each incoming answerable message, except spam. If it rejects, the event is sent again. */
  onMessage?: ((message: Message) => unknown) | undefined
  /** Called for each event. If it rejects, the event is sent again. */
  onEvent?: ((event: Event) => unknown) | undefined
  /**
   * Called with an error of a handler; the event is sent again in any case. Default: emits `error`; without a
   * listener the error is printed to the console.
   */
  onError?: ((error: unknown, event: Event) => unknown) | undefined
  /** Most bytes of a body. Default 1 MiB. */
  maxBytes?: number | undefined
}

/** The part of Node's `ServerResponse` that a webhook needs. */
export interface NodeResponse {
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(body?: string): unknown
}

/** Handles the requests of a webhook: a function of a web `Request`, for Hono, Next, Deno and Bun. */
export interface WebhookReceiver {
  (request: Request): Promise<Response>
  /**
   * The same for Node's own server, express, and frameworks based on them. Never rejects.
   *
   * @example
   * ```ts
   * const receive = mailbox.webhook({ secret })
   * app.post('/hook', receive.node) // express: before anything parses the body
   * ```
   */
  node(request: NodeRequest, response: NodeResponse): Promise<void>
}

/** The parts of an engine that handle an event. */
export interface WebhookMailbox {
  /** The one inbox that it reads. */
  readonly inboxId: string | undefined
  readonly sync: {
    /** Reads the log up to this position of that epoch. */
    hint(seq: number, epoch?: string): Promise<void>
  }
  /** Returns the message of a `message.received` event, if it can be answered. */
  receivedMessage(event: Event): Message | null
}

/** The parts that a webhook uses. */
export interface WebhookParts {
  readonly clock: Clock
  /** Ids of handled events. */
  readonly handled: BoundedMap<true>
  /** Runs the work with a mailbox, which may be opened for it. */
  withMailbox(work: (mailbox: WebhookMailbox) => Promise<void>): Promise<void>
  onFailure(error: RestanteError): void
  /** Parses the event of a verified body. @throws RestanteError `webhook_unverified` */
  readEvent(text: string): Event
}
