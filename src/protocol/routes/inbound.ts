import { z } from 'zod'
import { inboundAnswer, inboundQuery, maxMailBytes, sourceId } from '../records'
import type { Route } from './route'

/** Mail that others bring: what SMTP does, over HTTP. */
export const inboundRoutes = {
  deliver: {
    method: 'POST',
    path: '/inbound',
    summary: 'Bring a mail in',
    description:
      'The body is the mail itself, byte for byte, as `message/rfc822`. It is on disk when the answer comes. A repeat, by its `Idempotency-Key` or else by its content and recipient, is answered as the first was, with `idempotent: true`.',
    access: 'inbound',
    headers: z.object({
      'idempotency-key': sourceId
        .optional()
        .meta({ description: 'The id that the source has for this mail.' }),
    }),
    query: z.strictObject(inboundQuery),
    idempotent: true,
    rawBody: true,
    maxBodyBytes: maxMailBytes,
    success: { status: 200 },
    answer: inboundAnswer,
    errors: [
      'message_too_large',
      'mailbox_unavailable',
      'address_retired',
      'account_expired',
      'account_suspended',
      'sender_blocked',
      'quota_exceeded',
      'idempotency_key_reused',
    ],
  },
} as const satisfies Record<string, Route>
