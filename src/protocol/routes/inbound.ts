import * as z from 'zod'
import { inboundAnswer, inboundQuery, sourceId } from '../records/inbound/delivery'
import { maxMailBytes } from '../records/upload-limit'
import type { Route } from './route'

/** Inbound messages over HTTP, as an alternative to SMTP. */
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
        .meta({ description: 'The id that the source has for this message.' }),
    }),
    query: z.strictObject(inboundQuery),
    idempotent: true,
    rawBody: true,
    maxBodyBytes: maxMailBytes,
    success: { status: 200 },
    answer: inboundAnswer,
    withoutRead: 'all',
    errors: [
      'message_too_large',
      'mailbox_unavailable',
      'address_retired',
      'account_expired',
      'account_suspended',
      'sender_blocked',
      'quota_exceeded',
      'storage_limit_reached',
      'idempotency_key_reused',
    ],
  },
} as const satisfies Record<string, Route>

/** Requests of providers, in their own formats. */
export const providerRoutes = {
  post: {
    method: 'POST',
    path: '/inbound/keys/{key_id}/{provider}',
    summary: 'Deliver a message, as a provider posts it',
    description:
      'For providers: the body is what each posts, and its signature is checked. What is refused for good is in `refused`, so that it is not sent again; where nothing shows that the provider sent it, where an account is suspended or full, and after too many requests the answer is 503, so that it is.',
    access: 'none',
    repeatsAt: 503,
    params: z.strictObject({ key_id: z.string().min(1).max(64), provider: z.string().min(1).max(64) }),
    query: z.strictObject({ from: z.string().optional(), to: z.array(z.string()).optional() }),
    rawBody: true,
    maxBodyBytes: 80 * 1024 * 1024,
    success: { status: 200 },
    answer: inboundAnswer,
    errors: ['signature_invalid', 'message_too_large'],
  },
} as const satisfies Record<string, Route>
