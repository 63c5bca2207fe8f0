/** Webhooks: endpoints, attempts, what is dead and what is sent again. */

export { releaseWebhookDeliveries } from './attempts'
export { listDeliveries, redeliver } from './deliveries'
export { dropDeliveries } from './delivery-rows'
export { WebhookDispatcher } from './dispatcher'
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
