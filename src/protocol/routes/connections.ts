import * as z from 'zod'
import { connection, connectionBody } from '../connections/connection'
import { noContent, pageAnswer, pageQuery } from '../records/common'
import { idParams } from './params'
import type { Route } from './route'

/** Mailboxes at other servers, each of which is an inbox here. */
export const connectionsRoutes = {
  create: {
    method: 'POST',
    path: '/connections',
    summary: 'Make an inbox of a mailbox at another server',
    description:
      'Logs in to IMAP and SMTP before it answers, so that errors are reported at once. For a connected mailbox, the login and all settings are replaced. Imported messages are not imported again.',
    access: { allOf: ['read', 'send', 'manage'] },
    body: connectionBody,
    success: { status: 201, replayStatus: 200 },
    answer: connection,
    errors: [
      'account_expired',
      'claim_required',
      'connection_failed',
      'connection_limit_reached',
      'inbox_limit_reached',
    ],
  },
  list: {
    method: 'GET',
    path: '/connections',
    summary: 'List connected mailboxes and how they fare, oldest first',
    access: 'read',
    query: z.strictObject(pageQuery),
    success: { status: 200 },
    answer: z.looseObject({ connections: z.array(connection), ...pageAnswer }),
    errors: ['account_expired', 'invalid_cursor'],
  },
  get: {
    method: 'GET',
    path: '/connections/{id}',
    summary: 'Read how a connected mailbox fares',
    access: 'read',
    params: idParams,
    success: { status: 200 },
    answer: connection,
    errors: ['account_expired', 'not_found'],
  },
  retry: {
    method: 'POST',
    path: '/connections/{id}/retry',
    summary: 'Try a connected mailbox again at once',
    description:
      'Ends the wait for the next attempt, and has mail that was skipped tried once more: what its server gives now comes in.',
    access: 'manage',
    params: idParams,
    success: { status: 200 },
    answer: connection,
    withoutRead: ['id', 'kind', 'inbox_id', 'state', 'created_at'],
    errors: ['account_expired', 'claim_required', 'not_found'],
  },
  delete: {
    method: 'DELETE',
    path: '/connections/{id}',
    summary: 'Disconnect a mailbox',
    description: 'Its login is forgotten. The inbox and its mail stay: DELETE /inboxes/{id} erases them.',
    access: 'manage',
    params: idParams,
    success: { status: 204 },
    answer: noContent,
    errors: ['account_expired', 'claim_required', 'not_found'],
  },
} as const satisfies Record<string, Route>
