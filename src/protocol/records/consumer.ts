import * as z from 'zod'
import { dayMs } from '../time/clock'
import { consumerName, timeInput, timestamp, waitMs } from './common'
import { messageSummary, sentBy } from './message'

/** Time for which a lease lasts, from when it was given or last extended. */
export const leaseMs = 20_000
/** Number of leases of a message before it is a dead letter. */
export const maxAttempts = 10
const maxDelayMs = 7 * dayMs
const maxLeases = 100

/** A pause of a consumer. */
const pause = z
  .looseObject({
    by: sentBy.meta({ description: 'Who paused it.' }),
    since: timestamp,
  })
  .meta({ id: 'Pause' })

/** A reader that the service remembers: each incoming message is leased until it is handled. */
export const consumer = z
  .looseObject({
    name: z.string(),
    inbox_id: z.string().nullable().meta({ description: 'Null for every inbox of the account.' }),
    spam: z.boolean().meta({ description: 'Whether it gets mail that is marked as spam, too.' }),
    unanswerable: z.boolean().meta({
      description:
        'Whether it gets messages that are `unanswerable`, too: bounces, automatic answers and their like.',
    }),
    paused: pause.nullable().optional().meta({
      description:
        'Its pause: until it is resumed, nobody gets new leases. Null if it is not paused. Older services lack it.',
    }),
    created_at: timestamp,
  })
  .meta({ id: 'Consumer' })
/** A named consumer at the service. */
export type Consumer = z.infer<typeof consumer>

const count = z.int().min(0)

/** A message that a consumer and another program answered. */
const doubleAnswer = z
  .looseObject({
    message_id: z.string(),
    other: z.string().nullable().meta({
      description:
        'The other consumer; null for a program outside every consumer, such as a webhook handler.',
    }),
  })
  .meta({ id: 'DoubleAnswer' })
/** A message that a consumer and another program answered. */
export type DoubleAnswer = z.infer<typeof doubleAnswer>

/** A consumer, with the counts of its messages. */
export const consumerState = consumer
  .extend({
    waiting: count.meta({ description: 'Messages that nobody has now and that were not handled.' }),
    leased: count.meta({ description: 'Messages that somebody has now.' }),
    dead: count.meta({ description: 'Dead letters.' }),
    skipped: count.meta({ description: 'Messages that were left out since they are `unanswerable`.' }),
    answered_twice: z.array(doubleAnswer).optional().meta({
      description:
        'Messages of the last 7 days that another program answered, too: newest first, at most 10. Older services lack it.',
    }),
  })
  .meta({ id: 'ConsumerState' })
/** A named consumer, with its counts of waiting, leased, dead and skipped messages. */
export type ConsumerState = z.infer<typeof consumerState>

/** Body that creates a consumer, or finds it. */
export const consumerBody = z.strictObject({
  name: consumerName,
  inbox_id: z
    .string()
    .min(1)
    .max(64)
    .nullish()
    .meta({ description: 'Only mail to this inbox. Null or left out: to all that the key may read.' }),
  spam: z.boolean().default(false),
  unanswerable: z.boolean().default(false).meta({
    description:
      'Whether it gets messages that a reply would be refused for (`automatic_mail`). Without it they are left out and counted as `skipped`.',
  }),
  from: z
    .union([z.literal(['unanswered', 'start', 'now']), timeInput])
    .default('unanswered')
    .meta({
      description:
        'Where a new one begins. `unanswered`: of older messages it gets those that nobody had answered (`is:unanswered`), without mail that is older than the connection which imported it. `start`: at the oldest message. `now`: after the newest. Or at a time. Newer messages come in any case.',
    }),
})
export type ConsumerBody = z.output<typeof consumerBody>

/** Body of a request for messages to handle. */
export const leaseBody = z.strictObject({
  max: z.int().min(1).max(maxLeases).default(1),
  wait_ms: waitMs(z.number()),
  request_id: z
    .string()
    .regex(/^[a-z0-9]{12,40}$/, 'must be 12 to 40 lower-case letters and digits')
    .optional()
    .meta({
      description:
        'Another for each request, and the same where one is repeated since its answer did not arrive: it gets what it was given then.',
    }),
  on_give_up: z.enum(['dead_letter', 'hand_over']).default('dead_letter').meta({
    description:
      'What becomes of these messages after their tenth attempt, also if the program ends in it. `hand_over`: people hold the thread, as after `POST /messages/{id}/hand-over`; the key needs the scope `send` or `manage`.',
  }),
})
export type LeaseBody = z.output<typeof leaseBody>

/** A leased message, with the lease that proves it. */
export const leasedMessage = z
  .looseObject({
    lease: z.string(),
    lease_until: timestamp,
    attempt: z.int().min(1).meta({ description: 'How often it was leased, this lease included.' }),
    redriven: z.boolean().meta({
      description:
        'It comes late, since it was a dead letter, or marked as spam: newer ones of its thread may have been handled already.',
    }),
    handed_back: z.boolean().optional().meta({
      description:
        'Whether people held its thread after it arrived, and released it without an answer to it. Older services lack it.',
    }),
    message: messageSummary,
  })
  .meta({ id: 'LeasedMessage' })
/** A message that was leased to a consumer, with its lease. */
export type LeasedMessage = z.infer<typeof leasedMessage>

/** Most messages that an acknowledgement names beside those of its leases. */
const maxAlong = 1_000

const leases = z.array(z.string().min(1).max(100)).min(1).max(maxLeases)

/** Body for messages that were handled. */
export const ackBody = z.strictObject({
  leases,
  message_ids: z.array(z.string().min(1).max(64)).max(maxAlong).default([]).meta({
    description: 'Other messages that were handled together with this one: they are not leased again.',
  }),
})
export type AckBody = z.output<typeof ackBody>

/** Body for messages that were not handled, to be leased again. */
export const nackBody = z.strictObject({
  leases,
  delay_ms: z.int().min(0).max(maxDelayMs).optional().meta({
    description: 'Not before this. Default: at once, and from the third attempt on later each time.',
  }),
})
export type NackBody = z.output<typeof nackBody>

/** Leases to release or extend. */
export const leasesBody = z.strictObject({ leases })

/** Leases that were still held, and so changed, and those that had ended. */
export const leasesAnswer = z.looseObject({ held: z.array(z.string()), lost: z.array(z.string()) })
export type LeasesAnswer = z.infer<typeof leasesAnswer>

/** A message that was leased the maximum number of times, and never acknowledged. */
export const deadLetter = z
  .looseObject({ attempts: z.int().min(1), dead_at: timestamp, message: messageSummary })
  .meta({ id: 'DeadLetter' })
/** A message that a consumer gave up, with the number of its attempts. */
export type DeadLetter = z.infer<typeof deadLetter>

/** Dead letters and skipped messages to redrive. */
export const redriveBody = z.strictObject({
  message_ids: z.array(z.string().min(1).max(64)).min(1).max(maxLeases).optional().meta({
    description:
      'Dead letters, or messages that were skipped: these can be answered from then on. Default: all dead letters.',
  }),
  include_answered: z.boolean().default(false).meta({
    description:
      'Also those after which something was sent in their thread. Without it they are left out and counted.',
  }),
})
export type RedriveBody = z.output<typeof redriveBody>
