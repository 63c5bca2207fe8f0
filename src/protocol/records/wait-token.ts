import * as z from 'zod'
import { seq, timestamp } from './common'

/** Filter of a wait, as data. A reader refuses a filter with unknown fields. */
const waitFilter = z.strictObject({
  from: z.array(z.string().min(1).max(400)).min(1).max(100).optional().meta({
    description: 'Addresses and domains, one of which sent it.',
  }),
  inbox_id: z.string().max(64).optional(),
  thread_id: z.string().max(64).optional(),
  reply_to: z.string().max(64).optional().meta({
    description: 'Id of a message: what came into its thread after it.',
  }),
  subject: z.string().max(1_000).optional().meta({ description: 'Words that the subject has, all of them.' }),
  kind: z.enum(['code', 'link']).optional(),
  unverified: z.boolean().optional(),
  dkim_aligned: z.boolean().optional().meta({
    description: 'Take also mail that the domain of its sender signed, though it has no DMARC policy.',
  }),
  automatic: z.boolean().optional().meta({ description: 'Whether a program wrote it; both where left out.' }),
  spam: z.boolean().optional(),
})
export type WaitFilterData = z.infer<typeof waitFilter>

/** A wait that can be stored: its start and its filter. */
export const waitToken = z.strictObject({
  v: z.literal(1),
  after: seq.meta({
    description: 'The position from which on it looks, also where the event log no longer reaches back.',
  }),
  epoch: z.string().max(64).optional().meta({
    description:
      'Epoch of the log; left out for the first. In another one, it looks from where the two part.',
  }),
  until: timestamp.optional(),
  filter: waitFilter,
})
export type WaitTokenData = z.infer<typeof waitToken>
