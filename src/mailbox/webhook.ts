import type { Clock } from '../client'
import { HandlerError, isRestanteError, type RestanteError } from '../protocol/errors'
import type { Event, MessageSummary } from '../protocol/records'
import { requireWebhookSecret } from '../protocol/webhook-signature'
import { verifyWebhook } from '../protocol/webhook-verification'
import { BoundedMap } from './base'
import { isHandedOut } from './loops'
import type { Message } from './records'
import { type NodeRequest, readNodeBody, readWebBody } from './webhook-body'

/** The secret and the handlers of a webhook. */
export interface WebhookOptions {
  /** `whsec_…`, as the service showed it; several while one takes the place of another. */
  secret: string | readonly string[]
  /** Runs for each message that comes in, but for spam and what is unanswerable. Where it rejects, the service tells of the event again. */
  onMessage?: (message: Message) => unknown
  /** Runs for each event. Where it rejects, the service tells of the event again. */
  onEvent?: (event: Event) => unknown
  /** The most that a body may have. Default 1 MiB. */
  maxBytes?: number
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

/** The parts of its mailbox that a webhook uses. */
interface WebhookParts {
  clock: Clock
  /** The one inbox that the mailbox reads. */
  inboxId: string | undefined
  /** Reads the log up to here. */
  hint(seq: number): Promise<void>
  toMessage(event: Event): Message
  onError(error: RestanteError): void
}

interface Answer {
  status: number
  body?: { error: string; message: string }
}

const maxRemembered = 10_000

const statuses: Readonly<Record<string, number>> = {
  webhook_unverified: 401,
  body_too_large: 413,
  mailbox_closed: 503,
}

/** The answer to a failure, in words that the log of attempts can show; it says nothing of what the handler threw. */
const refusalOf = (error: RestanteError): Answer => ({
  status: statuses[error.code] ?? 500,
  body: { error: error.code, message: error.message },
})

/** Makes a {@link WebhookReceiver}. @throws UsageError `invalid_secret` */
export const createWebhook = (options: WebhookOptions, parts: WebhookParts): WebhookReceiver => {
  const { secret, onMessage, onEvent, maxBytes = 1024 * 1024 } = options
  requireWebhookSecret(secret, 'mailbox.webhook()')
  const handled = new BoundedMap<true>(maxRemembered)
  const running = new Map<string, Promise<void>>()

  const isOurs = ({ inbox_id }: Event) =>
    parts.inboxId === undefined || inbox_id === null || inbox_id === parts.inboxId

  const runHandlers = async (event: Event): Promise<void> => {
    if (!isOurs(event)) return
    try {
      await onEvent?.(event)
      const isMail = event.type === 'message.received' && isHandedOut(event.data as unknown as MessageSummary)
      if (isMail) await onMessage?.(parts.toMessage(event))
    } catch (cause) {
      throw new HandlerError('handler_failed', 'a handler of mailbox.webhook() threw: see cause', { cause })
    }
  }

  const carryOut = async (event: Event): Promise<void> => {
    await parts.hint(event.seq)
    await runHandlers(event)
    handled.set(event.id, true)
  }

  /** Handles an event once; a repeat that comes meanwhile waits for the same end. */
  const takeOnce = (event: Event): Promise<void> => {
    if (handled.has(event.id)) return Promise.resolve()
    const known = running.get(event.id)
    if (known) return known
    const work = carryOut(event).finally(() => running.delete(event.id))
    running.set(event.id, work)
    return work
  }

  const answer = async (
    method: string | undefined,
    headers: Headers | NodeRequest['headers'],
    read: () => Promise<Uint8Array>,
  ): Promise<Answer> => {
    if (method !== 'POST')
      return { status: 405, body: { error: 'method_not_allowed', message: 'A webhook is a POST.' } }
    try {
      const body = await read()
      await takeOnce(await verifyWebhook({ secret, headers, body, nowMs: parts.clock.now() }))
      return { status: 204 }
    } catch (error) {
      const known = isRestanteError(error)
        ? error
        : new HandlerError('webhook_failed', 'the request could not be read: see cause', { cause: error })
      if (known.code !== 'webhook_unverified' && known.code !== 'body_too_large') parts.onError(known)
      return refusalOf(known)
    }
  }

  const receive = async (request: Request): Promise<Response> => {
    const { status, body } = await answer(request.method, request.headers, () =>
      readWebBody(request, maxBytes),
    )
    return body ? Response.json(body, { status, headers: allowOf(status) }) : new Response(null, { status })
  }
  const node = async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    const { status, body } = await answer(request.method, request.headers, () =>
      readNodeBody(request, maxBytes),
    )
    response.statusCode = status
    for (const [name, value] of Object.entries(allowOf(status))) response.setHeader(name, value)
    if (!body) return void response.end()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(body))
  }
  return Object.assign(receive, { node })
}

/**
 * The headers of a refusal: the methods that are allowed (RFC 9110 section 15.5.6), or the end of the connection, since
 * the rest of the body is not read.
 */
const allowOf = (status: number): Record<string, string> => {
  if (status === 405) return { allow: 'POST' }
  return status === 413 ? { connection: 'close' } : {}
}
