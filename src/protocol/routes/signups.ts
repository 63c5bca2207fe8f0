import { z } from 'zod'
import { idempotencyKey, signupAnswer, signupBody } from '../records'
import type { Route } from './route'

/** An agent makes its account (specification 4.1). */
export const signupsRoutes = {
  create: {
    method: 'POST',
    path: '/agent-signups',
    summary: 'Create an unclaimed agent account',
    description:
      'Repeat with the same Idempotency-Key and the same body to get the same account, key and inbox again.',
    access: 'none',
    headers: z.object({ 'idempotency-key': idempotencyKey }),
    body: signupBody,
    success: { status: 201, replayStatus: 200 },
    answer: signupAnswer,
    errors: ['account_not_found', 'idempotency_key_reused', 'inbox_unavailable', 'signup_unavailable'],
  },
} as const satisfies Record<string, Route>
