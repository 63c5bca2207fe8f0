import type { Clock } from '../client'
import type { RestanteError } from '../protocol/errors'
import type { Event } from '../protocol/records'
import type { BoundedMap } from './base'
import type { Message } from './records'
import type { NodeRequest } from './webhook-body'

/** The secret and the handlers of a webhook. */
export interface WebhookOptions {
  /** `whsec_…`, as the service showed it; several while one takes the place of another. */
  secret: string | readonly string[]
  /** Runs for each message that comes in, but for spam and what is unanswerable. Where it rejects, the service tells of the event again. */
  onMessage?: ((message: Message) => unknown) | undefined
  /** Runs for each event. Where it rejects, the service tells of the event again. */
  onEvent?: ((event: Event) => unknown) | undefined
  /**
   * Called with what a handler threw; the service reports the event again all the same. Default: listeners of `error` hear
   * it; without one it is printed to the console.
   */
  onError?: ((error: unknown, event: Event) => unknown) | undefined
  /** The most that a body may have. Default 1 MiB. */
  maxBytes?: number | undefined
}

/** The part of Node's `ServerResponse` that a webhook needs. */
export interface NodeResponse {
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(body?: string): unknown
}

/** Answers the requests of a webhook: a function of a web `Request`, for Hono, Next, workers, Deno and Bun. */
export interface WebhookReceiver {
  (request: Request): Promise<Response>
  /**
   * The same for Node's own server, express, and what has its `req` and `res` within. Never rejects.
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
    /** Reads the log up to here, which is a position of that epoch. */
    hint(seq: number, epoch?: string): Promise<void>
  }
  /** The message that came in, if this is what the event reports and it can be answered. */
  receivedMessage(event: Event): Message | null
}

/** The parts that a webhook uses. */
export interface WebhookParts {
  readonly clock: Clock
  /** The ids of events that were handled. */
  readonly handled: BoundedMap<true>
  /** Runs the work with a mailbox, which may be opened for it. */
  withMailbox(work: (mailbox: WebhookMailbox) => Promise<void>): Promise<void>
  onFailure(error: RestanteError): void
  /** Reads the event of a verified body. @throws RestanteError `webhook_unverified` */
  readEvent(text: string): Event
}
