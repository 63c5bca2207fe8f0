import * as z from 'zod'
import { pageAnswer, pageQuery, timeInput } from '../../records/common'
import { auditActions, auditEntry } from '../../records/desk/audit-entry'
import type { Route } from '../route'

const auditFilters = {
  action: z.enum(auditActions).optional(),
  by: z.string().min(1).max(64).optional().meta({
    description: 'Id of an operator or key, or name of a consumer.',
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
