import { listDeliveries, redeliver } from '../../core/webhook-deliveries'
import { sendTestEvent } from '../../core/webhook-test-event'
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  readWebhook,
  rotateWebhook,
  updateWebhook,
} from '../../core/webhooks'
import type { Handlers } from '../handler'

export const webhooksHandlers: Handlers['webhooks'] = {
  create: ({ core, scope, request }) => createWebhook(core, scope, request),
  list: ({ core, scope, request }) => listWebhooks(core, scope, request),
  get: ({ core, scope, request }) => readWebhook(core, scope, request.id),
  update: ({ core, scope, request }) => updateWebhook(core, scope, request),
  delete: ({ core, scope, request }) => deleteWebhook(core, scope, request.id),
  rotate: ({ core, scope, request }) => rotateWebhook(core, scope, request.id),
  test: ({ core, scope, request }) => sendTestEvent(core, scope, request.id),
  deliveries: ({ core, scope, request }) => listDeliveries(core, scope, request),
  redeliver: ({ core, scope, request }) => redeliver(core, scope, request),
}
