import { z } from 'zod'
import {
  account,
  apiKey,
  apiKeyBody,
  claimAnswer,
  claimBody,
  claimPreview,
  newApiKey,
  noContent,
  pageAnswer,
  pageQuery,
} from '../records'
import type { Route } from './route'

const claimErrors = [
  'claim_link_unknown',
  'claim_link_used',
  'claim_link_expired',
  'account_expired',
  'account_not_found',
] as const
const accountParams = z.strictObject({ account_id: z.string().min(1).max(64) })

/** The operations of a human who is signed in at the console; an operator reaches the accounts that they claimed. */
export const consoleRoutes = {
  preview: {
    method: 'POST',
    path: '/console/claim/preview',
    summary: 'See what a claim link leads to',
    access: 'operator',
    body: claimBody,
    success: { status: 200 },
    answer: claimPreview,
    errors: claimErrors,
  },
  claim: {
    method: 'POST',
    path: '/console/claim',
    summary: 'Claim an account',
    description:
      'The account becomes the operator’s: the limits of the onboarding end and sending begins, at once. Repeating it answers the same.',
    access: 'operator',
    body: claimBody,
    success: { status: 200 },
    answer: claimAnswer,
    errors: claimErrors,
  },
  accounts: {
    method: 'GET',
    path: '/console/accounts',
    summary: 'List the accounts of the operator, oldest first',
    access: 'operator',
    query: z.strictObject(pageQuery),
    success: { status: 200 },
    answer: z.looseObject({ accounts: z.array(account), ...pageAnswer }),
    errors: ['invalid_cursor'],
  },
  keys: {
    method: 'GET',
    path: '/console/accounts/{account_id}/keys',
    summary: 'List the API keys of an account, oldest first',
    access: 'operator',
    params: accountParams,
    query: z.strictObject(pageQuery),
    success: { status: 200 },
    answer: z.looseObject({ keys: z.array(apiKey), ...pageAnswer }),
    errors: ['not_found', 'invalid_cursor'],
  },
  createKey: {
    method: 'POST',
    path: '/console/accounts/{account_id}/keys',
    summary: 'Create an API key',
    description: 'The answer has the key, this once.',
    access: 'operator',
    params: accountParams,
    body: apiKeyBody,
    success: { status: 201 },
    answer: newApiKey,
    errors: ['not_found', 'account_not_found', 'key_limit_reached'],
  },
  revokeKey: {
    method: 'DELETE',
    path: '/console/accounts/{account_id}/keys/{key_id}',
    summary: 'Revoke an API key',
    description: 'Requests with it are refused from now on, and its open sockets are closed within a second.',
    access: 'operator',
    params: accountParams.extend({ key_id: z.string().min(1).max(64) }),
    success: { status: 204 },
    answer: noContent,
    errors: ['not_found', 'account_not_found'],
  },
} as const satisfies Record<string, Route>
