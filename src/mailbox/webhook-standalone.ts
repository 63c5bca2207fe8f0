import type { FetchLike } from '../client/platform/platform'
import { isRestanteError } from '../protocol/errors/error'
import { checkOptions, type OptionNames } from '../protocol/options'
import { type Clock, systemClock } from '../protocol/time/clock'
import { readWebhookEvent } from '../protocol/webhook-event'
import { BoundedMap } from './base/bounded-map'
import type { Engine } from './engine'
import { openEngine } from './open'
import { createWebhook, type WebhookOptions, type WebhookReceiver } from './webhook'
import type { WebhookParts } from './webhook-options'

/** Options of a webhook that opens its mailbox by itself: the service, the secret and the handlers. */
export interface WebhookReceiverOptions extends Omit<WebhookOptions, 'secret'> {
  /** Base address of the service. Like the key and the secret, it is not needed at build time. */
  url: string | URL | undefined
  apiKey: string | undefined
  /** `whsec_…`, as the service showed it; several during a rotation. */
  secret: string | readonly string[] | undefined
  /** Id or address of the one inbox to read. Default: all that the key may read. */
  inbox?: string | undefined
  /** Replaces the platform's `fetch`. */
  fetch?: FetchLike | undefined
  /** Time and randomness; for tests. */
  clock?: Clock | undefined
}

const names: OptionNames<WebhookReceiverOptions> = {
  ...{ url: true, apiKey: true, secret: true, inbox: true, fetch: true, clock: true },
  ...{ onMessage: true, onEvent: true, onError: true, maxBytes: true },
}

/** In Cloudflare Workers, one request cannot use connections that another opened. */
const isBoundToRequest = (): boolean => globalThis.navigator?.userAgent === 'Cloudflare-Workers'

/** Opens a mailbox for each request, or one for all. */
const createOpener = (open: () => Promise<Engine>): WebhookParts['withMailbox'] => {
  let kept: Promise<Engine> | undefined
  const keep = async (): Promise<Engine> => {
    kept ??= open()
    const opening = kept
    try {
      const engine = await opening
      if (engine.sync.state.status !== 'closed') return engine
    } catch (error) {
      if (kept === opening) kept = undefined
      throw error
    }
    if (kept === opening) kept = undefined
    return keep()
  }
  return async (work) => {
    if (!isBoundToRequest()) return work(await keep())
    const engine = await open()
    try {
      await work(engine)
    } finally {
      await engine.close()
    }
  }
}

/**
 * Handles the requests of a webhook as `mailbox.webhook()` does, and opens the mailbox with the first
 * verified request. It opens nothing while a program is built or started. In Cloudflare Workers each request
 * has its own mailbox. Invalid options are answered with 500 and printed to the console.
 *
 * @throws UsageError `invalid_options` for unknown options
 * @example
 * ```ts
 * // app/hook/route.ts of Next
 * export const POST = createWebhookReceiver({
 *   url: process.env.RESTANTE_URL,
 *   apiKey: process.env.RESTANTE_API_KEY,
 *   secret: process.env.WEBHOOK_SECRET,
 *   onMessage: (message) => message.reply({ text: 'Got it, thank you.' }),
 * })
 * ```
 */
export function createWebhookReceiver(options: WebhookReceiverOptions): WebhookReceiver {
  checkOptions('createWebhookReceiver()', options, names)
  const { url = '', apiKey = '', secret = '', inbox, fetch, clock = systemClock, ...handlers } = options
  const parts: WebhookParts = {
    clock,
    handled: new BoundedMap(10_000),
    withMailbox: createOpener(() =>
      openEngine({
        ...{ url, apiKey, clock, source: 'webhook' },
        ...(inbox !== undefined && { inbox }),
        ...(fetch && { fetch }),
      }),
    ),
    onFailure: (error) => console.error(error),
    readEvent: readWebhookEvent,
  }
  let kept: WebhookReceiver | undefined
  const receiver = (): WebhookReceiver => {
    if (isBoundToRequest()) return createWebhook({ ...handlers, secret }, parts)
    kept ??= createWebhook({ ...handlers, secret }, parts)
    return kept
  }
  const failed = (error: unknown) => {
    console.error(error)
    return isRestanteError(error)
      ? { error: error.code, message: error.message }
      : { error: 'webhook_failed', message: 'the webhook could not be handled' }
  }
  return Object.assign(
    async (request: Request) => {
      try {
        return await receiver()(request)
      } catch (error) {
        return Response.json(failed(error), { status: 500 })
      }
    },
    {
      node: async (...[request, response]: Parameters<WebhookReceiver['node']>) => {
        try {
          await receiver().node(request, response)
        } catch (error) {
          response.statusCode = 500
          response.setHeader('content-type', 'application/json')
          response.end(JSON.stringify(failed(error)))
        }
      },
    },
  )
}
