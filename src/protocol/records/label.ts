import { z } from 'zod'
import { seq, timestamp } from './common'

/** The id, and the name, of the label of the service for spam: the same in every account. */
export const spamLabelId = 'spam'

/** Tells whether a message is marked as spam. */
export const isSpam = ({ label_ids }: { label_ids: readonly string[] }): boolean =>
  label_ids.includes(spamLabelId)

/** A name that is put on messages. A message carries the names of its labels, and their ids in `label_ids`. */
export const label = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    system: z.boolean().meta({
      description:
        'Whether it is the label of the service, `spam`, which can be put on messages and taken off, but not renamed or deleted.',
    }),
    created_at: timestamp,
    seq,
  })
  .meta({ id: 'Label' })
/** A label of the account. */
export type Label = z.infer<typeof label>

/** A label's name as a caller writes it, counted in code points. */
export const labelName = z
  .string()
  .trim()
  .refine((name) => [...name].length >= 1 && [...name].length <= 100, 'must be 1 to 100 characters')
  .refine((name) => !/\p{Cc}/u.test(name), 'must not have control characters')

/** Names of labels that differ in case only are the same. */
export const foldLabelName = (name: string): string => name.trim().toLowerCase()
