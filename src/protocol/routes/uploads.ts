import { z } from 'zod'
import type { Route } from '../route'
import { largestUpload, upload } from '../upload'

/** Files that are handed over ahead of the mail they go with. */
export const uploadsRoutes = {
  create: {
    method: 'POST',
    path: '/uploads',
    summary: 'Upload a file to attach',
    description:
      'The body is the file itself; its media type is the `Content-Type`. It is kept for 24 hours.',
    access: ['send', 'manage'],
    query: z.strictObject({ filename: z.string().min(1).max(255).default('attachment') }),
    // Kept twice, for a day: nobody sees the second one.
    idempotent: true,
    rawBody: true,
    maxBodyBytes: largestUpload,
    success: { status: 201 },
    answer: upload,
    errors: ['account_expired', 'claim_required', 'insufficient_scope', 'payload_too_large'],
  },
} as const satisfies Record<string, Route>
