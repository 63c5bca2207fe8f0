import { z } from 'zod'
import { maxUploadBytes, upload } from '../records'
import type { Route } from './route'

/** Files that are handed over ahead of the mail they go with. */
export const uploadsRoutes = {
  create: {
    method: 'POST',
    path: '/uploads',
    summary: 'Upload a file to attach',
    description:
      'The body is the file itself; its media type is the `Content-Type`. It is kept for 24 hours.',
    access: { anyOf: ['send', 'manage'] },
    query: z.strictObject({ filename: z.string().min(1).max(255).default('attachment') }),
    // A repeat stores the file a second time, for a day, and does no harm.
    idempotent: true,
    rawBody: true,
    maxBodyBytes: maxUploadBytes,
    success: { status: 201 },
    answer: upload,
    errors: ['account_expired', 'claim_required'],
  },
} as const satisfies Record<string, Route>
