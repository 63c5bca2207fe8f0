import { z } from 'zod'
import { seq, timestamp } from './common'

/** A conversation in one inbox, oldest message first. */
export const thread = z
  .looseObject({
    id: z.string(),
    inbox_id: z.string(),
    subject: z.string(),
    participants: z.array(z.string()).meta({ description: 'Addresses, in the order of their first mail.' }),
    message_count: z.int().min(0),
    last_message_id: z
      .string()
      .meta({ description: 'Id of the newest message, for `expect_last_message_id`.' }),
    last_message_created_seq: seq.meta({ description: 'The `created_seq` of the newest message.' }),
    last_message_at: timestamp,
    preview: z.string(),
    labels: z.array(z.string()).meta({ description: 'Of all its messages.' }),
    label_ids: z.array(z.string()),
    created_at: timestamp,
    seq,
  })
  .meta({ id: 'Thread' })
/** A conversation. */
export type Thread = z.infer<typeof thread>

/** The result of merging two threads: the older one, with all messages of both. */
export const mergedThread = thread.extend({
  merged_id: z.string().meta({ description: 'The id that leads to this thread from now on.' }),
})
export type MergedThread = z.infer<typeof mergedThread>
