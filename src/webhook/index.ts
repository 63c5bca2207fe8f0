/**
 * Webhooks without a mailbox: verifying that a request comes from the service, and signing one for a test.
 *
 * @module
 */
export {
  type Event,
  type EventOf,
  type EventType,
  isRestanteError,
  RestanteError,
  signWebhook,
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookContent,
  type WebhookHeaders,
  webhookSecret,
} from '../protocol'
