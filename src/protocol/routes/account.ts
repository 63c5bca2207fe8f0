import * as z from 'zod'
import { account, claimLink, idempotencyKey, signupAnswer, signupBody } from '../records/account'
import { pageAnswer, pageQuery, timeInput } from '../records/common'
import { auditActions, auditEntry } from '../records/desk/audit-entry'
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

const auditFilters = {
  action: z.enum(auditActions).optional(),
  by: z.string().min(1).max(64).optional().meta({
    description: 'Id of an operator or key, or name of a consumer. It needs a key with the scope `read`.',
  }),
  target: z.string().min(1).max(64).optional().meta({
    description: 'Id of the record that was changed.',
  }),
  after: timeInput.optional().meta({ description: 'Done at this time or later.' }),
  before: timeInput.optional().meta({ description: 'Done before this time.' }),
}

/** The audit log: who did what. */
export const auditRoutes = {
  list: {
    method: 'GET',
    path: '/audit',
    summary: 'List who did what, newest first',
    description:
      'Entries are kept for the time of the setting `keepAuditDays`. Keys of one inbox cannot read them.',
    access: 'manage',
    query: z.strictObject({ ...auditFilters, ...pageQuery }),
    success: { status: 200 },
    answer: z.looseObject({ entries: z.array(auditEntry), ...pageAnswer }),
    errors: ['account_expired', 'insufficient_scope', 'invalid_cursor'],
  },
  export: {
    method: 'GET',
    path: '/audit/export',
    summary: 'Export who did what, newest first, a JSON object a line',
    description: 'All entries that pass the filters, as NDJSON in UTF-8.',
    access: 'manage',
    query: z.strictObject(auditFilters),
    success: { status: 200 },
    answer: { contentType: 'application/x-ndjson' },
    errors: ['account_expired', 'insufficient_scope'],
  },
} as const satisfies Record<string, Route>
