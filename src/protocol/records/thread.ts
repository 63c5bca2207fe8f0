import * as z from 'zod'
import { consumerName, openEnum, seq, timeInput, timestamp } from './common'
import { sentBy } from './message'

/** A hold: people have the thread, so no loop gets its messages and no key writes in it. */
const hold = z
  .looseObject({
    by: sentBy.meta({ description: 'Who holds it.' }),
    reason: z.string().nullable().meta({ description: 'Why, in the words of the holder; null for none.' }),
    since: timestamp.meta({ description: 'Start of the hold. Later changes of the hold keep it.' }),
    until: timestamp.nullable().meta({ description: 'Time at which it ends; null until it is released.' }),
  })
  .meta({ id: 'Hold' })
/** A hold of a thread: who has it, why, since when and until when. */
export type Hold = z.infer<typeof hold>

/** Longest reason of a hold, in characters. */
const maxReason = 1_000

/** Body that holds a thread. */
export const holdBody = z.strictObject({
  reason: z
    .string()
    .trim()
    .min(1)
    .max(maxReason)
    .optional()
    .meta({ description: 'Why, for people and agents.' }),
  until: timeInput.nullish().meta({
    description: 'Time at which the hold ends by itself. Null or left out: when the thread is released.',
  }),
})
export type HoldBody = z.output<typeof holdBody>

/** Body that hands a thread over to people. */
export const handOverBody = z.strictObject({
  reason: z.string().trim().min(1).max(maxReason).meta({ description: 'Why, for the people who take over.' }),
  consumer: consumerName.optional().meta({
    description: 'The consumer in whose handler this is, which `by` of the hold names then.',
  }),
  lease: z.string().min(1).max(100).optional().meta({
    description: 'The lease of the message, which this ends: it counts no attempt, also none of before.',
  }),
  send_prepared_text: z.boolean().default(false).meta({
    description:
      'Replies with `handover_text` of the inbox, once in each hold. What refuses a reply refuses this text, while the thread is held all the same.',
  }),
})
export type HandOverBody = z.output<typeof handOverBody>

/** Statuses of a thread. */
export const threadStatuses = ['open', 'snoozed', 'closed'] as const
/** Statuses of a thread that this version knows. */
export type ThreadStatus = (typeof threadStatuses)[number]

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
    hold: hold.nullable().optional().meta({
      description:
        'The hold of the thread. While it lasts, consumers do not get its messages, and sends by keys are refused with `thread_held`. Null for none. Older services lack it.',
    }),
    assignee: sentBy.nullable().optional().meta({
      description: 'The operator or consumer that has it; null for nobody. Older services lack it.',
    }),
    status: openEnum(threadStatuses).optional().meta({
      description: 'A new message opens a snoozed or closed thread. Older services lack it.',
    }),
    snoozed_until: timestamp.nullable().optional().meta({
      description: 'Time at which it is open again; null unless it is snoozed.',
    }),
    note_count: z.int().optional().meta({ description: 'Number of its notes. Older services lack it.' }),
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
