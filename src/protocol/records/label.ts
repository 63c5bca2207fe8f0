import * as z from 'zod'
import { seq, timestamp } from './common'

/** A name that is assigned to messages, which have its name in `labels` and its id in `label_ids`. */
export const label = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    system: z.boolean().meta({
      description:
        'Whether it is a system label, which every account has: `archived`, `spam`, `trash`, `unread`. It can be added to messages and removed, but not renamed or deleted.',
    }),
    created_at: timestamp,
    seq,
  })
  .meta({ id: 'Label' })
/** A label of the account. */
export type Label = z.infer<typeof label>

/** Name of a label in a request, counted in code points. */
export const labelName = z
  .string()
  .trim()
  .refine((name) => [...name].length >= 1 && [...name].length <= 100, 'must be 1 to 100 characters')
  .refine((name) => !/\p{Cc}/u.test(name), 'must not have control characters')
