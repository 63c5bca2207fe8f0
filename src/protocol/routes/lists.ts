import * as z from 'zod'
import { noContent, pageAnswer, pageQuery } from '../records/common'
import { list, listBody } from '../records/list'
import { changeErrors, idParams } from './params'
import type { Route } from './route'

/** Lists that decide from whom messages are accepted, and to whom they may be sent (specification 4.8). */
export const listsRoutes = {
  create: {
    method: 'POST',
    path: '/lists',
    summary: 'Create a list entry',
    description:
      'The narrowest pattern that fits an address decides: an address, then `*@domain`, then `domain` with its subdomains. Once a direction has an `allow`, everything that fits no entry is refused there. A reply to a message that the inbox sent is always received. An `allow` and a reply count only for proven senders. If the service does not check senders, `warning` says so.',
    access: 'manage',
    body: listBody,
    success: { status: 201 },
    answer: list,
    withoutRead: 'all',
    errors: [...changeErrors, 'list_exists', 'list_limit_reached'],
  },
  list: {
    method: 'GET',
    path: '/lists',
    summary: 'List the entries, oldest first',
    access: 'read',
    query: z.strictObject({ direction: z.enum(['receive', 'send']).optional(), ...pageQuery }),
    success: { status: 200 },
    answer: z.looseObject({ lists: z.array(list), ...pageAnswer }),
    errors: ['account_expired', 'invalid_cursor'],
  },
  delete: {
    method: 'DELETE',
    path: '/lists/{id}',
    summary: 'Delete a list entry',
    access: 'manage',
    params: idParams,
    success: { status: 204 },
    answer: noContent,
    errors: [...changeErrors, 'not_found'],
  },
} as const satisfies Record<string, Route>
