import { listDispatches, recoverWebhook, redeliver } from '../../webhooks/dispatches'
import { sendTestEvent } from '../../webhooks/test-event'
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  readWebhook,
  rotateWebhook,
  updateWebhook,
} from '../../webhooks/webhooks'
import type { Handlers } from './call'

export const webhooksHandlers: Handlers['webhooks'] = {
  create: ({ ports, scope, request }) => createWebhook(ports, scope, request),
  list: ({ ports, scope, request }) => listWebhooks(ports, scope, request),
  get: ({ ports, scope, request }) => readWebhook(ports, scope, request.id),
  update: ({ ports, scope, request }) => updateWebhook(ports, scope, request),
  delete: ({ ports, scope, request }) => deleteWebhook(ports, scope, request.id),
  rotate: ({ ports, scope, request }) => rotateWebhook(ports, scope, request.id),
  test: ({ ports, scope, request }) => sendTestEvent(ports, scope, request.id),
  deliveries: ({ ports, scope, request }) => listDispatches(ports, scope, request),
  redeliver: ({ ports, scope, request }) => redeliver(ports, scope, request),
  recover: ({ ports, scope, request }) => recoverWebhook(ports, scope, request),
}
