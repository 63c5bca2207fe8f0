import * as z from 'zod'
import { openEnum, timeInput, timestamp } from './common'
import { eventTypes } from './event'

/** Types of events for a webhook; `*` means all, including future ones. */
const webhookEventTypes = ['*', ...eventTypes] as const
/** Type of the event that `POST /webhooks/{id}/test` sends; it is in no log. */
export const webhookTestType = 'webhook.test'

/** A URL that receives events. */
export const webhook = z
  .looseObject({
    id: z.string(),
    url: z.string(),
    events: z.array(openEnum(webhookEventTypes)),
    inbox_ids: z.array(z.string()).nullable().meta({ description: 'Null for every inbox of the account.' }),
    enabled: z.boolean(),
    disabled_reason: openEnum(['endpoint_gone', 'endpoint_failing', 'switched_off'])
      .nullable()
      .meta({ description: 'Why it is switched off; null where it is on.' }),
    disabled_at: timestamp.nullable().meta({ description: 'Null where it is on.' }),
    failing_since: timestamp
      .nullable()
      .meta({ description: 'Since when no attempt has succeeded; null where the last one did.' }),
    created_at: timestamp,
  })
  .meta({ id: 'Webhook' })
/** A webhook: its URL, its types of events, and whether it is enabled. */
export type Webhook = z.infer<typeof webhook>

/** A webhook with its signing secret, which is shown only once. */
export const webhookWithSecret = webhook
  .extend({
    secret: z.string().meta({ description: 'Checks the signatures; keep it now, it is not shown again.' }),
  })
  .meta({ id: 'WebhookWithSecret' })
/** A new webhook, or one with a new secret: only this response has the secret. */
export type WebhookWithSecret = z.infer<typeof webhookWithSecret>

const url = z.string().min(1).max(2_048).meta({ example: 'https://agent.example.com/mail' })
const events = z.array(z.enum(webhookEventTypes)).min(1).max(100)
const inbox_ids = z.array(z.string().min(1).max(64)).min(1).max(1_000)

/** Body that creates a webhook (specification 4.8). */
export const webhookBody = z.strictObject({
  url,
  events,
  inbox_ids: inbox_ids.nullish().meta({ description: 'Null or left out for every inbox of the account.' }),
})
export type WebhookBody = z.output<typeof webhookBody>

/** Body that changes a webhook. After re-enabling, it continues after the last event that was sent. */
export const webhookChanges = z.strictObject({
  url: url.optional(),
  events: events.optional(),
  inbox_ids: inbox_ids.nullish().meta({ description: 'Null for every inbox of the account.' }),
  enabled: z.boolean().optional(),
})
export type WebhookChanges = z.output<typeof webhookChanges>

/** Body that resends events that an endpoint did not accept. */
export const webhookRecoverBody = z.strictObject({
  since: timeInput.meta({ description: 'Events that were put on their way at this time or later.' }),
})
export type WebhookRecoverBody = z.output<typeof webhookRecoverBody>

/** A request to the endpoint, and its result. */
const webhookAttempt = z.looseObject({
  number: z.int().min(1),
  started_at: timestamp,
  duration_ms: z.int().min(0),
  http_status: z.int().nullable().meta({ description: 'Null where no answer came.' }),
  error: z.string().nullable().meta({ description: 'Why no answer came; null where one did.' }),
  response_body: z.string().nullable().meta({
    description: 'The first 2 KiB of the answer as text, control characters replaced; null where none came.',
  }),
})

/** Delivery of one event to one webhook, with every attempt. */
export const webhookDelivery = z
  .looseObject({
    id: z.string(),
    webhook_id: z.string(),
    event_id: z.string(),
    event_type: z.string(),
    status: openEnum(['pending', 'delivered', 'dead']),
    next_attempt_at: timestamp.nullable().meta({ description: 'Null where nothing is tried any more.' }),
    created_at: timestamp,
    attempts: z.array(webhookAttempt),
  })
  .meta({ id: 'WebhookDelivery' })
/** Delivery of an event to a webhook, with every attempt. */
export type WebhookDelivery = z.infer<typeof webhookDelivery>
