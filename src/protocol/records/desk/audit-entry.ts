import * as z from 'zod'
import { openEnum, timestamp } from '../common'
import { sentBy } from '../message'

/** Actions in the audit log: `noun.past-verb`. */
export const auditActions = [
  'operator.signed_in',
  'key.created',
  'key.revoked',
  'draft.approved',
  'draft.rejected',
  'thread.held',
  'thread.released',
  'thread.assigned',
  'thread.snoozed',
  'thread.closed',
  'thread.reopened',
  'inbox.updated',
  'inbox.erased',
  'thread.erased',
  'message.erased',
  'consumer.redriven',
  'consumer.paused',
  'consumer.resumed',
] as const
/** An action in the audit log that this version knows. */
export type AuditAction = (typeof auditActions)[number]

/** An entry of the audit log. Entries never change. */
export const auditEntry = z
  .looseObject({
    id: z.string(),
    action: openEnum(auditActions),
    by: sentBy.nullable().meta({
      description: 'Who did it; null for the service itself, as when a hold ends at its time.',
    }),
    target: z.string().nullable().meta({
      description:
        'Id of the record: a key, draft, thread, inbox, message, or name of a consumer. Null for a sign-in.',
    }),
    details: z.looseObject({}).meta({ description: 'Facts of the action, never content of messages.' }),
    created_at: timestamp,
  })
  .meta({ id: 'AuditEntry' })
/** An entry of the audit log. */
export type AuditEntry = z.infer<typeof auditEntry>
