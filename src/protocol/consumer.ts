import { z } from 'zod'
import { timestamp } from './common'
import { messageSummary } from './message'

/** How long a lease lasts, from when it was given or last extended. */
export const leaseMs = 20_000
/** How often a message is handed out before it is a dead letter. */
export const mostAttempts = 10
const longestDelayMs = 7 * 24 * 60 * 60_000
const mostLeases = 100

/** What tells the consumers of an account apart, chosen by its caller. */
export const consumerName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 letters, digits, dots, underscores or hyphens')
  .meta({ example: 'support-bot' })

/** A reader that the service remembers: each incoming message is handed out until it was handled. */
export const consumer = z
  .looseObject({
    name: z.string(),
    inbox_id: z.string().nullable().meta({ description: 'Null for every inbox of the account.' }),
    spam: z.boolean().meta({ description: 'Whether it gets mail that is marked as spam, too.' }),
    created_at: timestamp,
  })
  .meta({ id: 'Consumer' })
/** What {@link consumer} describes. */
export type Consumer = z.infer<typeof consumer>

const count = z.int().min(0)

/** A consumer, and how much it has to do. */
export const consumerState = consumer
  .extend({
    waiting: count.meta({ description: 'Messages that nobody has now and that were not handled.' }),
    leased: count.meta({ description: 'Messages that somebody has now.' }),
    dead: count.meta({ description: 'Dead letters.' }),
  })
  .meta({ id: 'ConsumerState' })
/** As {@link consumerState} says. */
export type ConsumerState = z.infer<typeof consumerState>

/** The body that creates a consumer, or finds it. */
export const consumerBody = z.strictObject({
  name: consumerName,
  inbox_id: z
    .string()
    .min(1)
    .max(64)
    .nullish()
    .meta({ description: 'Only mail to this inbox. Default: to all that the key may read.' }),
  spam: z.boolean().default(false),
  from: z
    .union([z.literal(['start', 'now']), timestamp])
    .default('start')
    .meta({ description: 'Where a new one begins: at the oldest message, after the newest, or at a time.' }),
})
/** What {@link consumerBody} describes. */
export type ConsumerBody = z.output<typeof consumerBody>

/** What is to be handed out. */
export const leaseBody = z.strictObject({
  max: z.int().min(1).max(mostLeases).default(1),
  wait_ms: z
    .int()
    .min(0)
    .max(55_000)
    .default(0)
    .meta({ description: 'How long to wait until there is something.' }),
  request_id: z
    .string()
    .regex(/^[a-z0-9]{12,40}$/, 'must be 12 to 40 lower-case letters and digits')
    .optional()
    .meta({
      description:
        'Another for each request, and the same where one is repeated since its answer did not arrive: it gets what it was given then.',
    }),
})
/** What {@link leaseBody} describes. */
export type LeaseBody = z.output<typeof leaseBody>

/** A message that was handed out, and the lease that proves it. */
export const delivery = z
  .looseObject({
    lease: z.string(),
    lease_until: timestamp,
    attempt: z.int().min(1).meta({ description: 'How often it was handed out, this time included.' }),
    redriven: z.boolean().meta({
      description:
        'It comes late, since it was a dead letter, or marked as spam: newer ones of its thread may have been handled already.',
    }),
    message: messageSummary,
  })
  .meta({ id: 'Delivery' })
/** What {@link delivery} describes. */
export type Delivery = z.infer<typeof delivery>

const leases = z.array(z.string().min(1).max(100)).min(1).max(mostLeases)

/** Messages that were handled. */
export const ackBody = z.strictObject({
  leases,
  message_ids: z
    .array(z.string().min(1).max(64))
    .max(mostLeases)
    .default([])
    .meta({ description: 'Other messages that were handled along: they are not handed out any more.' }),
})
/** What {@link ackBody} describes. */
export type AckBody = z.output<typeof ackBody>

/** Messages that were not handled, to be handed out again. */
export const nackBody = z.strictObject({
  leases,
  delay_ms: z.int().min(0).max(longestDelayMs).optional().meta({
    description: 'Not before this. Default: at once, and from the third attempt on later each time.',
  }),
})
/** What {@link nackBody} describes. */
export type NackBody = z.output<typeof nackBody>

/** Leases to do something with. */
export const leasesBody = z.strictObject({ leases })

/** Which of the leases were still held, and so changed; the others had ended. */
export const leasesAnswer = z.looseObject({ held: z.array(z.string()), lost: z.array(z.string()) })
/** What {@link leasesAnswer} describes. */
export type LeasesAnswer = z.infer<typeof leasesAnswer>

/** A message that was handed out as often as may be, and never acknowledged. */
export const deadLetter = z
  .looseObject({ attempts: z.int().min(1), dead_at: timestamp, message: messageSummary })
  .meta({ id: 'DeadLetter' })
/** What {@link deadLetter} describes. */
export type DeadLetter = z.infer<typeof deadLetter>

/** Which dead letters to send round again. */
export const redriveBody = z.strictObject({
  message_ids: z.array(z.string().min(1).max(64)).min(1).max(mostLeases).optional().meta({
    description: 'Default: all.',
  }),
})
/** What {@link redriveBody} describes. */
export type RedriveBody = z.output<typeof redriveBody>
