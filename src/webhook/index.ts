/**
 * Webhooks without a mailbox: verifies that a request comes from the service, and signs one for a test.
 *
 * @module
 */
export { isRestanteError, RestanteError } from '../protocol/errors/error'
export type { Event, EventOf, EventType } from '../protocol/records/event'
export { webhookSecret } from '../protocol/webhook-secret'
export { signWebhook, type WebhookContent, type WebhookHeaders } from '../protocol/webhook-signature'
export type { VerifyWebhookOptions, WebhookRequestHeaders } from '../protocol/webhook-verification'
export { verifyWebhook } from './verify-webhook'
