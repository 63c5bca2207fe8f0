import * as z from 'zod'
import { timestamp } from '../common'
import { sentBy } from '../message'

/** Longest note, in characters. */
const maxNote = 10_000

/** A note on a thread, which is never sent. */
export const note = z
  .looseObject({
    id: z.string(),
    thread_id: z.string(),
    text: z.string(),
    for_agent: z.boolean().meta({ description: 'Whether it stands in prompts of the thread.' }),
    by: sentBy.meta({ description: 'Its author.' }),
    created_at: timestamp,
  })
  .meta({ id: 'Note' })
/** A note on a thread, which is never sent. */
export type Note = z.infer<typeof note>

/** Body that adds a note to a thread. */
export const noteBody = z.strictObject({
  text: z.string().trim().min(1).max(maxNote),
  for_agent: z.boolean().default(false).meta({
    description:
      'Whether agents read it, as the words of an operator: only operators set it. The rule about who may be written to does not count it.',
  }),
})
export type NoteBody = z.output<typeof noteBody>
