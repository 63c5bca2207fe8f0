import * as z from 'zod'
import { noContent, pageAnswer, pageQuery } from '../records/common'
import { suppressedAddress, suppression } from '../records/suppression'
import { changeErrors, idParams } from './params'
import type { Route } from './route'

/** Addresses to which the account sends nothing, after a bounce, a complaint, or by hand. */
export const suppressionsRoutes = {
  create: {
    method: 'POST',
    path: '/suppressions',
    summary: 'Send nothing to an address',
    description:
      'A message with a recipient on this list is refused for all recipients, with `recipient_suppressed`. The service adds addresses that do not exist (5.1.x of the receiving server) and addresses that complained.',
    access: 'manage',
    body: z.strictObject({ address: suppressedAddress }),
    success: { status: 201, replayStatus: 200 },
    answer: suppression,
    withoutRead: ['id', 'address', 'created_at'],
    errors: [...changeErrors, 'suppression_limit_reached'],
  },
  list: {
    method: 'GET',
    path: '/suppressions',
    summary: 'List suppressed addresses, oldest first',
    access: 'read',
    query: z.strictObject({ address: suppressedAddress.optional(), ...pageQuery }),
    success: { status: 200 },
    answer: z.looseObject({ suppressions: z.array(suppression), ...pageAnswer }),
    errors: ['account_expired', 'invalid_cursor'],
  },
  delete: {
    method: 'DELETE',
    path: '/suppressions/{id}',
    summary: 'Let mail go to an address again',
    access: 'manage',
    params: idParams,
    success: { status: 204 },
    answer: noContent,
    errors: [...changeErrors, 'not_found'],
  },
} as const satisfies Record<string, Route>
