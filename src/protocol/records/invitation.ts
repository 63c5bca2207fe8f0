import * as z from 'zod'
import { consumerName, openEnum, timeInput, timestamp } from './common'

const person = {
  address: z.string(),
  name: z.string().nullable().meta({ description: 'Null for none.' }),
}

/** A person who is invited, with the answer. */
const invitationAttendee = z
  .looseObject({
    ...person,
    status: openEnum(['needs-action', 'accepted', 'declined', 'tentative', 'delegated']),
    optional: z.boolean(),
  })
  .meta({ id: 'InvitationAttendee' })

/** One occurrence of a recurring event. */
const invitationTime = z.looseObject({ start: timestamp, end: timestamp }).meta({ id: 'InvitationTime' })

/** An invitation, its update, its cancellation, or an answer to it, as a message brought it. */
export const invitation = z
  .looseObject({
    method: openEnum(['REQUEST', 'CANCEL', 'REPLY', 'COUNTER', 'REFRESH', 'PUBLISH']).meta({
      description: 'What the message does to the event (RFC 5546 section 1.4).',
    }),
    uid: z.string().meta({ description: 'Id of the event in all calendars.' }),
    recurrence_id: z.string().nullable().meta({
      description: 'Original local start of the only occurrence that it is about; null for the whole event.',
    }),
    sequence: z.int().min(0),
    title: z.string(),
    organizer: z.looseObject(person).nullable().meta({ description: 'Null if the calendar names none.' }),
    organizer_proven: z.boolean().meta({
      description: 'Whether the proven sender of the message is the organizer, or acts for the organizer.',
    }),
    attendees: z.array(invitationAttendee).meta({ description: 'At most 50.' }),
    attendee_count: z.int().min(0),
    answer: openEnum(['needs-action', 'accepted', 'declined', 'tentative']).meta({
      description: 'Answer of the inbox when the message arrived.',
    }),
    start: timestamp,
    end: timestamp,
    all_day: z.boolean(),
    floating: z.boolean().meta({
      description:
        'Whether the calendar names no zone: then the times are read in the `time_zone` of the inbox.',
    }),
    time_zone: z.string().nullable().meta({
      description: 'IANA zone; null for a day, a floating time, and a zone without an IANA name.',
    }),
    local_start: z.string().meta({ description: 'Start on the clock of the zone.' }),
    local_end: z.string(),
    recurrence: z.string().nullable().meta({
      description: 'Repetition in words, such as `every week on Monday`; null for a single event.',
    }),
    next: z.array(invitationTime).meta({
      description: 'Up to three occurrences after the message was sent; empty for a single event.',
    }),
    location: z.string().nullable().meta({ description: 'Null for none.' }),
    meeting_link: z.string().nullable().meta({ description: 'Address of an online meeting; null for none.' }),
    description: z.string().nullable().meta({ description: 'At most 4,096 characters; null for none.' }),
    comment: z.string().nullable().meta({ description: 'Words of an answer or a proposal; null for none.' }),
    cancelled: z.boolean(),
    pending: z.boolean().meta({
      description:
        'Whether nothing proves that the message comes from the organizer of the known version: then it alters nothing.',
    }),
    changes: z.array(z.string()).meta({
      description: 'Differences from the version that was known, in words; empty for the first version.',
    }),
  })
  .meta({ id: 'Invitation' })
/** An invitation, its update, its cancellation, or an answer to it, as a message brought it. */
export type Invitation = z.infer<typeof invitation>

/** An answer to an invitation. */
export const invitationAnswer = z
  .strictObject({
    answer: z.enum(['accepted', 'declined', 'tentative', 'proposed']).meta({
      description: '`proposed` proposes another time, and needs `start` and `end`.',
    }),
    comment: z.string().min(1).max(4_000).optional().meta({ description: 'Words for the organizer.' }),
    start: timeInput.optional(),
    end: timeInput.optional(),
    as_draft: z.boolean().optional().meta({
      description: 'Creates a suggestion that people send or delete, and sends nothing. Default: `false`.',
    }),
    when_held: z.enum(['refuse', 'draft']).optional().meta({
      description:
        'In a thread that people hold, `refuse` fails with `thread_held`; `draft` makes a suggestion. Default: `refuse`.',
    }),
    consumer: consumerName.optional(),
  })
  .refine(
    ({ answer, start, end }) => (answer === 'proposed') === (start !== undefined && end !== undefined),
    {
      path: ['start'],
      error: 'and end are needed for a proposal, and for nothing else',
    },
  )
  .refine(({ start, end }) => start === undefined || end === undefined || start < end, {
    path: ['end'],
    error: 'must be after start',
  })
  .meta({ example: { answer: 'accepted', comment: 'See you there.' } })
/** An answer to an invitation. */
export type InvitationAnswer = z.output<typeof invitationAnswer>
