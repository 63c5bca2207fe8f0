import * as z from 'zod'
import { openEnum, timestamp } from '../common'

/** Body that reports what an operator does in a thread now. */
export const presenceBody = z.strictObject({
  state: z.enum(['reading', 'writing', 'gone']).meta({
    description:
      '`writing`: there is unsent text, so agents neither get messages of the thread nor send in it. Each report counts for two minutes; `gone` ends it.',
  }),
})
export type PresenceBody = z.output<typeof presenceBody>

/** An operator who reads or writes in a thread. */
export const present = z
  .looseObject({
    operator_id: z.string(),
    name: z.string().nullable().meta({ description: 'Null for an operator without a name.' }),
    state: openEnum(['reading', 'writing']),
    since: timestamp,
  })
  .meta({ id: 'Present' })
/** An operator who reads or writes in a thread. */
export type Present = z.infer<typeof present>
