import * as z from 'zod'
import { account, claimLink, idempotencyKey, signupAnswer, signupBody } from '../records/account'
import type { Route } from './route'

/** Signup of an agent (specification 4.1). */
export const signupsRoutes = {
  create: {
    method: 'POST',
    path: '/agent-signups',
    summary: 'Create an unclaimed agent account',
    description:
      'Repeat with the same Idempotency-Key and the same body to get the same account, key and inbox again, with one more claim link.',
    access: 'none',
    headers: z.object({ 'idempotency-key': idempotencyKey }),
    body: signupBody,
    success: { status: 201, replayStatus: 200 },
    answer: signupAnswer,
    answersSecret: true,
    errors: ['account_not_found', 'idempotency_key_reused', 'inbox_unavailable', 'signup_unavailable'],
  },
} as const satisfies Record<string, Route>

/** The account of a key (specification 4.2). */
export const accountRoutes = {
  get: {
    method: 'GET',
    path: '/account',
    summary: 'Account status, capabilities, limits',
    access: 'read',
    success: { status: 200 },
    answer: account,
    errors: [],
  },
  claimLink: {
    method: 'POST',
    path: '/account/claim-link',
    summary: 'Get a fresh claim link',
    description:
      'For an account that nobody has claimed. The links before it stop working; the account expires when it would have.',
    access: 'manage',
    success: { status: 201 },
    answer: claimLink,
    answersSecret: true,
    withoutRead: 'all',
    errors: ['account_expired', 'already_claimed'],
  },
} as const satisfies Record<string, Route>
