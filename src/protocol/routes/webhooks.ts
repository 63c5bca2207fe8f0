import * as z from 'zod'
import { noContent, pageAnswer, pageQuery } from '../records/common'
import {
  webhook,
  webhookBody,
  webhookChanges,
  webhookDelivery,
  webhookRecoverBody,
  webhookWithSecret,
} from '../records/webhook'
import { idParams } from './params'
import type { Route } from './route'

const mutationErrors = ['account_expired', 'claim_required', 'not_found'] as const
const readErrors = ['account_expired', 'not_found'] as const

/** A key that manages webhooks must have the scope `read`: a webhook receives messages. */
const tellers = { allOf: ['read', 'manage'] } as const

/** URLs that receive events, and their deliveries (specification 4.8). */
export const webhooksRoutes = {
  create: {
    method: 'POST',
    path: '/webhooks',
    summary: 'Create a webhook',
    description:
      'The answer has the signing secret (Standard Webhooks), this once. Events from now on are sent to the URL, at least once each, in no promised order.',
    access: tellers,
    body: webhookBody,
    success: { status: 201 },
    answer: webhookWithSecret,
    answersSecret: true,
    errors: [...mutationErrors, 'webhook_limit_reached'],
  },
  list: {
    method: 'GET',
    path: '/webhooks',
    summary: 'List webhooks, oldest first',
    access: 'read',
    query: z.strictObject(pageQuery),
    success: { status: 200 },
    answer: z.looseObject({ webhooks: z.array(webhook), ...pageAnswer }),
    errors: ['account_expired', 'invalid_cursor'],
  },
  get: {
    method: 'GET',
    path: '/webhooks/{id}',
    summary: 'Read a webhook',
    access: 'read',
    params: idParams,
    success: { status: 200 },
    answer: webhook,
    errors: readErrors,
  },
  update: {
    method: 'PATCH',
    path: '/webhooks/{id}',
    summary: 'Change a webhook, or switch it on again',
    access: tellers,
    params: idParams,
    body: webhookChanges,
    success: { status: 200 },
    answer: webhook,
    errors: mutationErrors,
  },
  delete: {
    method: 'DELETE',
    path: '/webhooks/{id}',
    summary: 'Delete a webhook',
    access: 'manage',
    params: idParams,
    success: { status: 204 },
    answer: noContent,
    errors: mutationErrors,
  },
  rotate: {
    method: 'POST',
    path: '/webhooks/{id}/rotate',
    summary: 'Give a webhook a new secret',
    description:
      'The answer has the new secret, this once. For 24 hours deliveries are signed with both. A fifth rotation within 24 hours ends the oldest secret at once.',
    access: 'manage',
    params: idParams,
    success: { status: 200 },
    answer: webhookWithSecret,
    answersSecret: true,
    withoutRead: ['id', 'secret', 'created_at'],
    errors: mutationErrors,
  },
  test: {
    method: 'POST',
    path: '/webhooks/{id}/test',
    summary: 'Send a test event',
    description: 'Sends an event of the type `webhook.test`, which is not in the log.',
    access: 'manage',
    params: idParams,
    success: { status: 200 },
    answer: webhookDelivery,
    withoutRead: ['id', 'webhook_id', 'status', 'next_attempt_at', 'created_at'],
    errors: [...mutationErrors, 'webhook_disabled'],
  },
  deliveries: {
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    summary: 'List deliveries with their attempts, newest first',
    access: 'read',
    params: idParams,
    query: z.strictObject({ status: z.enum(['pending', 'delivered', 'dead']).optional(), ...pageQuery }),
    success: { status: 200 },
    answer: z.looseObject({ deliveries: z.array(webhookDelivery), ...pageAnswer }),
    errors: [...readErrors, 'invalid_cursor'],
  },
  redeliver: {
    method: 'POST',
    path: '/webhooks/{id}/deliveries/{delivery_id}/redeliver',
    summary: 'Send an event once more',
    description: 'Starts the schedule of attempts from the beginning.',
    access: 'manage',
    params: idParams.extend({ delivery_id: z.string().min(1).max(64) }),
    success: { status: 200 },
    answer: webhookDelivery,
    withoutRead: ['id', 'webhook_id', 'status', 'next_attempt_at', 'created_at'],
    errors: [...mutationErrors, 'webhook_disabled'],
  },
  recover: {
    method: 'POST',
    path: '/webhooks/{id}/recover',
    summary: 'Redeliver all failed events since a time',
    description:
      'Starts the schedule of attempts again for every event since then whose delivery failed for good (`dead`). Events are kept for 30 days, unless the administrator sets another time.',
    access: 'manage',
    params: idParams,
    body: webhookRecoverBody,
    success: { status: 200 },
    answer: z.looseObject({ recovered: z.int().min(0) }),
    withoutRead: 'all',
    errors: [...mutationErrors, 'webhook_disabled'],
    idempotent: true,
  },
} as const satisfies Record<string, Route>
