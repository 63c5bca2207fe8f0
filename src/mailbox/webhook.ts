import { checkOptions, type OptionNames } from '../protocol/options'
import { requireWebhookSecret } from '../protocol/webhook-secret'
import { loadLater } from './base/load-later'
import type { NodeRequest } from './webhook-body'
import type { NodeResponse, WebhookOptions, WebhookParts, WebhookReceiver } from './webhook-options'

export type { NodeResponse, WebhookOptions, WebhookReceiver } from './webhook-options'

const names: OptionNames<WebhookOptions> = {
  ...{ secret: true, onMessage: true, onEvent: true, onError: true, maxBytes: true },
}

// Few mailboxes receive webhooks, and verification is a tenth of the client's size.
const loadReceiver = loadLater(() => import('./webhook-receiver'))

/** Makes a {@link WebhookReceiver}. @throws UsageError `invalid_options`, `invalid_secret` */
export const createWebhook = (options: WebhookOptions, parts: WebhookParts): WebhookReceiver => {
  checkOptions('mailbox.webhook()', options, names)
  requireWebhookSecret(options.secret, 'mailbox.webhook()')
  let made: Promise<WebhookReceiver> | undefined
  const load = (): Promise<WebhookReceiver> => {
    made ??= loadReceiver().then(({ createReceiver }) => createReceiver(options, parts))
    made.catch(() => {
      made = undefined
    })
    return made
  }
  return Object.assign(async (request: Request) => (await load())(request), {
    node: async (request: NodeRequest, response: NodeResponse) => (await load()).node(request, response),
  })
}
