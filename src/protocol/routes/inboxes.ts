import * as z from 'zod'
import { noContent, pageAnswer, pageQuery } from '../records/common'
import { inbox, inboxBody, inboxChanges } from '../records/inbox'
import { changeErrors, idParams } from './params'
import type { Route } from './route'

/** Addresses that receive. */
export const inboxesRoutes = {
  create: {
    method: 'POST',
    path: '/inboxes',
    summary: 'Create an inbox',
    description: 'With a `client_id` that an inbox of the account has, answers that inbox (200).',
    access: 'manage',
    body: inboxBody,
    success: { status: 201, replayStatus: 200 },
    answer: inbox,
    withoutRead: 'all',
    errors: [
      ...changeErrors,
      'client_id_conflict',
      'inbox_unavailable',
      'inbox_limit_reached',
      'domain_not_verified',
    ],
  },
  list: {
    method: 'GET',
    path: '/inboxes',
    summary: 'List inboxes, oldest first',
    access: 'read',
    query: z.strictObject({
      include: z
        .enum(['unread'])
        .optional()
        .meta({ description: '`unread`: with the number of unread messages of each.' }),
      ...pageQuery,
    }),
    success: { status: 200 },
    answer: z.looseObject({ inboxes: z.array(inbox), ...pageAnswer }),
    errors: ['account_expired', 'invalid_cursor'],
  },
  get: {
    method: 'GET',
    path: '/inboxes/{id}',
    summary: 'Read an inbox',
    access: 'read',
    params: idParams,
    success: { status: 200 },
    answer: inbox,
    errors: ['account_expired', 'not_found'],
  },
  update: {
    method: 'PATCH',
    path: '/inboxes/{id}',
    summary: 'Change the name or the settings of an inbox',
    access: 'manage',
    params: idParams,
    body: inboxChanges,
    success: { status: 200 },
    answer: inbox,
    withoutRead: 'all',
    errors: [...changeErrors, 'not_found'],
  },
  delete: {
    method: 'DELETE',
    path: '/inboxes/{id}',
    summary: 'Delete an inbox and erase its mail',
    description: 'The address is never given again, and takes no more mail.',
    access: 'manage',
    params: idParams,
    success: { status: 204 },
    answer: noContent,
    errors: [...changeErrors, 'not_found', 'operator_inbox'],
  },
} as const satisfies Record<string, Route>
