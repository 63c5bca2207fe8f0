import * as z from 'zod'
import { seq, waitMs } from '../records/common'
import { eventPage, eventTypes } from '../records/event'
import type { Route } from './route'

/** The event log, by polling. */
export const eventsRoutes = {
  list: {
    method: 'GET',
    path: '/events',
    summary: 'Read the event log, waiting for something new',
    description:
      'Answers at once when there is something after the cursor, else as soon as there is, or an empty page after `wait_ms`. The socket at `/realtime` tells the same log and needs the same scope.',
    access: 'read',
    query: z.strictObject({
      after: z.union([z.literal('now'), z.coerce.number<number>().pipe(seq)]).default('now'),
      inbox_id: z.string().optional(),
      types: z
        .string()
        .optional()
        .meta({ description: `Comma-separated, such as \`${eventTypes.slice(0, 2).join()}\`.` }),
      limit: z.coerce.number<number>().int().min(1).max(500).default(100),
      wait_ms: waitMs(z.coerce.number<number>()),
    }),
    success: { status: 200 },
    answer: eventPage,
    errors: ['account_expired', 'cursor_expired'],
  },
} as const satisfies Record<string, Route>
