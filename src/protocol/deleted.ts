import { z } from 'zod'
import { seq } from './common'

/** What an event tells of a record that is gone: nothing of its content. */
export const deletedRecord = z
  .looseObject({ id: z.string(), inbox_id: z.string().optional(), thread_id: z.string().optional(), seq })
  .meta({ id: 'DeletedRecord' })
/** What {@link deletedRecord} describes. */
export type DeletedRecord = z.infer<typeof deletedRecord>
