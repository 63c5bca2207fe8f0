import * as z from 'zod'
import { localPart, nameLengths } from './account'
import { openEnum, seq, timestamp } from './common'
import { domainName } from './domain'
import { listPattern } from './list'

/** Mode of the agents of an inbox: they answer, suggest replies, or are off. */
const agentModes = ['answers', 'suggests', 'off'] as const

/** An address that receives. `seq` is the position of its last change in the event log. */
export const inbox = z
  .looseObject({
    id: z.string(),
    address: z.email(),
    name: z
      .string()
      .nullable()
      .meta({ description: 'Shown to recipients beside the address; null for none.' }),
    unread: z.int().min(0).optional().meta({
      description:
        'Number of unread messages, without archived ones, spam and trash. Present if the list was asked for it.',
    }),
    automatic_answers_per_hour: z.int().min(0).optional().meta({
      description:
        'Most answers in an hour to one author whose messages a program submits; further ones get `unanswerable: mail_loop`. Older services lack it.',
    }),
    treat_as_person: z.array(z.string()).optional().meta({
      description:
        'Senders whose messages count as a person’s whatever their headers say, except bounces and other reports. Older services lack it.',
    }),
    treat_as_program: z.array(z.string()).optional().meta({
      description:
        'Senders whose messages count as a program’s whatever their headers say. Older services lack it.',
    }),
    hold_after_reply: z.string().optional().meta({
      description:
        'How long the reply of a person holds its thread: `never`, `until_released`, or a duration such as `24h`. Older services lack it.',
    }),
    handover_text: z.string().nullable().optional().meta({
      description:
        'Text that an agent may send when it hands a thread over to people, once in each hold. Null for none. Older services lack it.',
    }),
    unattended_after: z.string().optional().meta({
      description:
        'Time after which a handed-over thread that no operator opened raises `thread.unattended`, such as `30m`. Older services lack it.',
    }),
    agent: openEnum(agentModes).optional().meta({
      description:
        'What agents do with its mail. `answers`: they reply. `suggests`: their replies are suggestions, which people send. `off`: they get no messages of it, and their sends are refused with `thread_held`. Older services lack it.',
    }),
    time_zone: z.string().optional().meta({
      description:
        'IANA zone in which invitations without a zone, and days, are read. Older services lack it.',
    }),
    created_at: timestamp,
    seq,
  })
  .meta({ id: 'Inbox' })
/** An address that receives messages. */
export type Inbox = z.infer<typeof inbox>

const name = z
  .string()
  .trim()
  .refine((text) => [...text].length >= 1 && [...text].length <= 100, 'must be 1 to 100 characters')
  .refine((text) => !/\p{Cc}/u.test(text), 'must not have control characters')
  .meta({ description: 'Shown to recipients beside the address.', ...nameLengths })

/** A duration: a number of minutes, hours or days. */
const duration = /^[1-9]\d{0,3}[mhd]$/

const holdAfterReply = z
  .string()
  .refine(
    (text) => text === 'never' || text === 'until_released' || duration.test(text),
    'must be never, until_released, or a duration such as 30m, 24h or 7d',
  )
  .meta({ example: '24h' })

function isTimeZone(text: string): boolean {
  try {
    // Only a name: newer runtimes also accept offsets.
    return /^[A-Za-z]/.test(text) && new Intl.DateTimeFormat('en', { timeZone: text }) !== undefined
  } catch {
    return false
  }
}

/** An IANA zone. */
const timeZone = z.string().max(60).refine(isTimeZone, 'must be an IANA time zone, such as Europe/Berlin')

const maxPatterns = 100
/** Lists of senders that take precedence over the headers. */
const treated = {
  treat_as_person: z.array(listPattern).max(maxPatterns).optional().meta({
    description:
      'Senders whose messages count as a person’s from now on, whatever their headers say: addresses or domains, as in lists, by From. Bounces, other reports and messages with the null sender stay a program’s.',
  }),
  treat_as_program: z.array(listPattern).max(maxPatterns).optional().meta({
    description:
      'Senders whose messages count as a program’s from now on. Of entries in both lists the narrower counts, else this one.',
  }),
}

/** Body of POST /inboxes. */
export const inboxBody = z.strictObject({
  local_part: localPart.optional().meta({ description: 'Left out, one is allocated.' }),
  domain: domainName.optional().meta({
    description: 'A verified domain of the account; the domain of the service where it is left out.',
  }),
  name: name.optional(),
  ...treated,
  client_id: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: 'Makes the call safe to repeat: one inbox per client_id, while it exists.' }),
})
export type InboxBody = z.output<typeof inboxBody>

/** Body of PATCH /inboxes/{id}. */
export const inboxChanges = z
  .strictObject({
    name: name
      .nullable()
      .optional()
      .meta({ description: 'Shown to recipients beside the address; null takes it away.' }),
    automatic_answers_per_hour: z.int().min(0).max(1000).optional().meta({
      example: 5,
      description:
        'Most answers in an hour to one author whose messages a program submits (help desk, form, forwarding rule). Default: 5.',
    }),
    hold_after_reply: holdAfterReply.optional().meta({
      description:
        'How long a person’s reply holds its thread, counted from their last reply. `never`, `until_released`, or a number of minutes, hours or days (`30m`, `24h`, `7d`). Default: `24h`.',
    }),
    handover_text: z.string().trim().min(1).max(5_000).nullish().meta({
      description:
        'Text that an agent may send when it hands a thread over to people, once in each hold; null removes it.',
    }),
    unattended_after: z
      .string()
      .regex(duration, 'must be a number of minutes, hours or days: 30m, 24h, 7d')
      .optional()
      .meta({
        example: '30m',
        description:
          'Time after which a handed-over thread that no operator opened raises `thread.unattended`. Default: `30m`.',
      }),
    agent: z.enum(agentModes).optional().meta({
      description:
        'What agents do with its mail: `answers`, `suggests` (their replies become suggestions, which people send) or `off` (they get none of its messages and send nothing). Default: `answers`.',
    }),
    time_zone: timeZone.optional().meta({
      example: 'Europe/Berlin',
      description:
        'IANA zone in which invitations without a zone, and days, are read. It counts for messages from now on. Default: `UTC`.',
    }),
    ...treated,
  })
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), 'give a value to change')
export type InboxChanges = z.output<typeof inboxChanges>
