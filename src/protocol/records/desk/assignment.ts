import * as z from 'zod'
import { timeInput } from '../common'

/** Body that assigns a thread. */
export const assignBody = z.strictObject({
  assignee: z
    .strictObject({
      kind: z.enum(['operator', 'consumer']),
      id: z.string().min(1).max(64).meta({
        description: 'Id of an operator of the account, `me` for the calling one, or name of a consumer.',
      }),
    })
    .nullable()
    .meta({ description: 'An operator holds the thread; a consumer releases it. Null for nobody.' }),
})
export type AssignBody = z.output<typeof assignBody>

/** Body that snoozes a thread. */
export const snoozeBody = z.strictObject({
  until: timeInput.meta({ description: 'Time at which the thread is open again, in the future.' }),
})
export type SnoozeBody = z.output<typeof snoozeBody>
