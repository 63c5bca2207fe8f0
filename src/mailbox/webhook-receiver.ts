import { HandlerError, isHandlerError, isRestanteError, type RestanteError } from '../protocol/errors/error'
import type { Event } from '../protocol/records/event'
import { epochHeader } from '../protocol/webhook-signature'
import { rawHeader, verifiedBody, type WebhookRequestHeaders } from '../protocol/webhook-verification'
import { readNodeBody, readWebBody } from './webhook-body'
import type { WebhookMailbox, WebhookOptions, WebhookParts, WebhookReceiver } from './webhook-options'

interface Answer {
  status: number
  body?: { error: string; message: string }
}

const statuses: Readonly<Record<string, number>> = {
  webhook_unverified: 401,
  body_too_large: 413,
  mailbox_closed: 503,
}

/** Failures that are not of this process: a wrong sender, or a request while it stops. */
const unreported: ReadonlySet<string> = new Set(['webhook_unverified', 'body_too_large', 'mailbox_closed'])

/** Returns the response to a failure. Its text may be logged, and omits the handler's error. */
const refusalOf = (error: RestanteError): Answer => ({
  status: statuses[error.code] ?? 500,
  body: { error: error.code, message: error.message },
})

/** Handles an event, whose position belongs to that epoch of the log. */
type Handle = (event: Event, epoch: string | undefined) => Promise<void>

/** Handles the events of verified requests, each once. */
const createHandling = (options: WebhookOptions, parts: WebhookParts): Handle => {
  const { onMessage, onEvent, onError } = options
  const { handled } = parts
  const running = new Map<string, Promise<void>>()

  const runHandlers = async (event: Event, mailbox: WebhookMailbox): Promise<void> => {
    const { inboxId } = mailbox
    if (inboxId !== undefined && event.inbox_id !== null && event.inbox_id !== inboxId) return
    await onEvent?.(event)
    const message = mailbox.receivedMessage(event)
    if (message) await onMessage?.(message)
  }

  const carryOut = async (event: Event, epoch: string | undefined): Promise<void> => {
    await parts.withMailbox(async (mailbox) => {
      await mailbox.sync.hint(event.seq, epoch)
      try {
        await runHandlers(event, mailbox)
      } catch (cause) {
        const text = `a handler of the webhook threw for ${event.id}, which is sent again later: see cause`
        const error = new HandlerError('handler_failed', text, { cause })
        if (onError) await onError(cause, event)
        else parts.onFailure(error)
        throw error
      }
    })
    handled.set(event.id, true)
  }

  // A repeat that arrives meanwhile shares the same promise.
  return (event, epoch) => {
    if (handled.has(event.id)) return Promise.resolve()
    const known = running.get(event.id)
    if (known) return known
    const work = carryOut(event, epoch).finally(() => running.delete(event.id))
    running.set(event.id, work)
    return work
  }
}

/** Makes a {@link WebhookReceiver} from checked options. */
export const createReceiver = (options: WebhookOptions, parts: WebhookParts): WebhookReceiver => {
  const { secret, maxBytes = 1024 * 1024 } = options
  const handle = createHandling(options, parts)

  const answer = async (
    method: string | undefined,
    headers: WebhookRequestHeaders,
    read: () => Promise<Uint8Array>,
  ): Promise<Answer> => {
    if (method !== 'POST')
      return { status: 405, body: { error: 'method_not_allowed', message: 'A webhook is a POST.' } }
    let isRead = false
    try {
      const body = await read()
      isRead = true
      const text = await verifiedBody({ secret, headers, body, nowMs: parts.clock.now() })
      const epoch = rawHeader(headers, epochHeader)
      await handle(parts.readEvent(text), typeof epoch === 'string' ? epoch : undefined)
      return { status: 204 }
    } catch (error) {
      const known = isRestanteError(error)
        ? error
        : new HandlerError('webhook_failed', 'the webhook could not be handled: see cause', { cause: error })
      // A handler's error was reported once, however many requests wait for it. A client that disconnects
      // during its request is not reported.
      const isOurs = isRead || isRestanteError(error)
      if (isOurs && !unreported.has(known.code) && !isHandlerError(error)) parts.onFailure(known)
      return refusalOf(known)
    }
  }

  const receive = async (request: Request): Promise<Response> => {
    const { status, body } = await answer(request.method, request.headers, () =>
      readWebBody(request, maxBytes),
    )
    return body ? Response.json(body, { status, headers: allowOf(status) }) : new Response(null, { status })
  }
  const node: WebhookReceiver['node'] = async (request, response) => {
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
 * Returns headers of a refusal: the allowed methods (RFC 9110 section 15.5.6), or `connection: close`, since
 * the rest of the body is not read.
 */
const allowOf = (status: number): Record<string, string> => {
  if (status === 405) return { allow: 'POST' }
  return status === 413 ? { connection: 'close' } : {}
}
