import { account, claimLink } from '../records'
import type { Route } from './route'

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
    errors: ['account_expired', 'already_claimed'],
  },
} as const satisfies Record<string, Route>
