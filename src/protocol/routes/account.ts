import { account } from '../account'
import type { Route } from '../route'

/** The account of a key (specification 4.2). */
export const accountRoutes = {
  get: {
    method: 'GET',
    path: '/account',
    summary: 'Account status, capabilities, limits',
    access: 'read',
    success: { status: 200 },
    answer: account,
    errors: ['account_not_found'],
  },
} as const satisfies Record<string, Route>
