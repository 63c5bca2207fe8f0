/** Webhooks: endpoints, attempts, dead dispatches and redeliveries. */

export { releaseDispatches } from './attempts'
export { dropDispatches } from './dispatch-rows'
export { WebhookDispatcher } from './dispatcher'
export { listDispatches, recoverWebhook, redeliver } from './dispatches'
export type { WebhookPorts } from './ports'
export { sendTestEvent } from './test-event'
export {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  readWebhook,
  rotateWebhook,
  updateWebhook,
} from './webhooks'
