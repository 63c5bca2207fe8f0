import { z } from 'zod'
import { attachment } from '../records'
import { idParams } from './params'
import type { Route } from './route'

/** Files in messages (specification 4.7). */
export const attachmentsRoutes = {
  get: {
    method: 'GET',
    path: '/attachments/{id}',
    summary: 'Fetch an attachment',
    access: 'read',
    params: idParams,
    success: { status: 200 },
    answer: attachment,
    errors: ['account_expired', 'not_found'],
  },
  content: {
    method: 'GET',
    path: '/attachments/{id}/content',
    summary: 'Download an attachment',
    description:
      'The bytes themselves. One `Range` is honoured (206); `If-Range` takes the `ETag` of an earlier answer (RFC 9110).',
    access: 'read',
    params: idParams,
    headers: z.object({
      range: z.string().max(1_000).optional(),
      'if-range': z.string().max(200).optional(),
    }),
    success: { status: 200 },
    answer: { contentType: 'application/octet-stream' },
    errors: ['account_expired', 'not_found', 'range_not_satisfiable'],
  },
} as const satisfies Record<string, Route>
