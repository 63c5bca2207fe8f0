import * as z from 'zod'
import { openEnum, seq, timestamp } from './common'
import { customHeaders } from './custom-headers'
import {
  addressList,
  allowAutoReply,
  attachmentInfo,
  attachmentList,
  expectLast,
  markdownBody,
  oneBody,
  quoteOriginal,
  replayFields,
  replyToList,
  scheduledAt,
  subjectLine,
  whenHeld,
} from './message'

/**
 * Statuses of a draft. `scheduled` sends itself at `scheduled_at`; `pending_approval` waits for an operator.
 * `sent` means that it became a message, whose `delivery_status` has the rest.
 */
export const draftStatuses = [
  'draft',
  'scheduled',
  'pending_approval',
  'sending',
  'sent',
  'failed',
  'rejected',
] as const
/** Statuses of a draft that this version knows. */
export type DraftStatus = (typeof draftStatuses)[number]

/** A message that is not sent yet (specification 2.7). Its content is included on request. */
export const draft = z
  .looseObject({
    id: z.string(),
    inbox_id: z.string(),
    subject: z.string().meta({
      description: 'To a key without `read`: what the request itself gave, else empty.',
    }),
    status: openEnum(draftStatuses),
    scheduled_at: timestamp.nullable().meta({
      description:
        'When it sends itself, once it is `scheduled`: what waits for approval, or for its content, keeps the time. Null where it does not.',
    }),
    thread_id: z.string().nullable().meta({ description: 'Of a reply, or once it was sent; null before.' }),
    sent_message_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the message that it became; null until it is sent.' }),
    error: z.looseObject({ code: z.string(), message: z.string() }).nullable().meta({
      description:
        'Why it was not sent at its time, also while it waits to be tried again, or why an operator rejected it; null where nothing went wrong.',
    }),
    suggestion: z.boolean().optional().meta({
      description: 'Whether an agent suggests it to people, who send or delete it. Older services lack it.',
    }),
    created_at: timestamp,
    updated_at: timestamp,
    seq,
  })
  .meta({ id: 'Draft' })
/** A message that is not sent yet. */
export type Draft = z.infer<typeof draft>

/** A draft in response to a send that sent nothing yet. */
export const unsentDraft = draft
  .extend({ message: z.string().optional().meta({ description: 'What happens next.' }) })
  .meta({ id: 'UnsentDraft' })

const readMessageIds = z.array(z.string()).meta({
  description:
    'The messages that had been read when it was written, as its writer told; those that are gone since are among them.',
})
const approvalReason = z
  .string()
  .nullable()
  .meta({ description: 'Why a human is to decide, in the words of its writer; null where it told none.' })

const draftAttachment = attachmentInfo.omit({ id: true }).meta({ id: 'DraftAttachment' })

/** A draft with the fields of `include=content`. */
export const draftWithContent = draft
  .extend({
    to: z.array(z.string()).optional(),
    cc: z.array(z.string()).optional(),
    bcc: z.array(z.string()).optional(),
    text: z.string().nullable().optional().meta({ description: 'Null for none.' }),
    html: z.string().nullable().optional().meta({ description: 'Null for none.' }),
    reply_to: z.array(z.string()).optional(),
    reply_to_message_id: z.string().nullable().optional().meta({ description: 'Null where it is no reply.' }),
    forward_message_id: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Null if it forwards no message.' }),
    expect_last_message_id: z.string().nullable().optional().meta({
      description: 'The message that must be the newest of the thread when it is sent; null for any.',
    }),
    attachments: z.array(draftAttachment).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    read_message_ids: readMessageIds.optional(),
    approval_reason: approvalReason.optional(),
  })
  .meta({ id: 'DraftWithContent' })
/** A draft with its content. */
export type DraftWithContent = z.infer<typeof draftWithContent>

/** A draft that waits for an operator, in the list of those. */
export const waitingDraft = draft
  .extend({
    tenant_id: z.string().meta({ description: 'The account that it is of.' }),
    from_addr: z.string().meta({ description: 'The address that sends it.' }),
    to: z.array(z.string()),
    cc: z.array(z.string()),
    bcc: z.array(z.string()),
  })
  .meta({ id: 'WaitingDraft' })
/** A draft that waits for an operator: its account, sender and recipients. */
export type WaitingDraft = z.infer<typeof waitingDraft>

/** A draft that waits for an operator, with its content. */
export const waitingDraftWithContent = waitingDraft
  .extend({
    text: z.string().nullable().meta({ description: 'Null where there is only HTML.' }),
    html: z.string().nullable().meta({ description: 'Null where there is only text.' }),
    reply_to: z
      .array(z.string())
      .meta({ description: 'Where answers go; empty where they go to `from_addr`.' }),
    reply_to_message_id: z.string().nullable().meta({ description: 'Null where it answers no message.' }),
    forward_message_id: z.string().nullable().meta({ description: 'Null if it forwards no message.' }),
    expect_last_message_id: z.string().nullable().meta({
      description: 'The message that must be the newest of the thread when it is sent; null for any.',
    }),
    attachments: z.array(draftAttachment),
    headers: z.record(z.string(), z.string()),
    read_message_ids: readMessageIds,
    approval_reason: approvalReason,
  })
  .meta({ id: 'WaitingDraftWithContent' })
/** A draft that waits for an operator, with its content. */
export type WaitingDraftWithContent = z.infer<typeof waitingDraftWithContent>

/** Most characters of the reason for a rejection or an approval. */
const maxReason = 1_000
const decidedSeq = seq.meta({
  description: 'The `seq` of the draft that was shown: where it was changed since, `draft_changed` refuses.',
})
/** Body that approves a draft. */
export const approvalBody = z.strictObject({ seq: decidedSeq })
/** Body that rejects a draft. */
export const rejectionBody = z.strictObject({
  seq: decidedSeq,
  reason: z
    .string()
    .trim()
    .min(1)
    .max(maxReason)
    .optional()
    .meta({ description: 'Why, for the agent: it stands in `error` of the draft.' }),
})

const body = z.string().max(5_000_000)
const messageId = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: 'Makes it a reply: without `to` it goes to whom a reply goes, in the same thread.' })
const forwardedId = z.string().min(1).max(64).meta({
  description:
    'Makes it a forward, as `POST /messages/{id}/forward` does: the message goes below what is written, with its attachments. Excludes `reply_to_message_id`. The key needs the scope `read` too.',
})
const replyAll = z.boolean().meta({ description: 'A reply without `to` goes to everybody on the message.' })
const quote = quoteOriginal.meta({
  description:
    'Puts the text of the message that the draft replies to below what is given with it, as a quotation. What is written so is a part of the draft from then on. The key needs the scope `read` too.',
})
const ofSeq = {
  description:
    'Refuse with `draft_changed` where the `seq` of the draft is another: it was changed since it was read.',
}
const expectSeq = seq.meta(ofSeq)
/** Context from the writer for the approver of a draft. */
const context = {
  read_message_ids: z.array(z.string().min(1).max(64)).max(50).optional().meta({
    description:
      'The messages that were read before this was written, shown to the person who decides. They are added to the earlier ones; the last 50 are kept. Messages that the key does not reach are left out.',
  }),
  approval_reason: z.string().trim().min(1).max(maxReason).optional().meta({
    description:
      'Why a human is to decide on it, in words. It is of the mail as it is now: a change of what that says takes it away.',
  }),
}
/** Body that creates a draft (specification 4.3). */
export const draftBody = z
  .strictObject({
    inbox_id: z.string().min(1).max(64),
    to: addressList.optional(),
    cc: addressList.optional(),
    bcc: addressList.optional(),
    subject: subjectLine.optional(),
    text: body.optional(),
    html: body.optional(),
    markdown: markdownBody.optional(),
    reply_to: replyToList.optional(),
    reply_to_message_id: messageId.optional(),
    forward_message_id: forwardedId.optional(),
    reply_all: replyAll.optional(),
    quote: quote.optional(),
    allow_auto_reply: allowAutoReply.optional(),
    expect_last_message_id: expectLast.optional().meta({
      description:
        'For a reply: send it, at its time too, only while this is the newest message of the thread. Else it is refused with `thread_moved`, and a scheduled draft fails.',
    }),
    attachments: attachmentList.optional(),
    headers: customHeaders.optional(),
    scheduled_at: scheduledAt.optional(),
    ...context,
    ...replayFields,
  })
  .refine(...oneBody)
  .refine((body) => body.reply_to_message_id === undefined || body.forward_message_id === undefined, {
    path: ['forward_message_id'],
    error: 'excludes reply_to_message_id: give one of the two',
  })
  .refine((body) => body.expect_last_message_id === undefined || body.reply_to_message_id !== undefined, {
    path: ['expect_last_message_id'],
    error: 'needs reply_to_message_id: only a reply has a thread whose newest message can be checked',
  })
export type DraftBody = z.output<typeof draftBody>

/** Body that changes a draft: an omitted field stays, null clears it, and a list replaces the whole list. */
export const draftChanges = z
  .strictObject({
    expect_seq: expectSeq.optional(),
    to: addressList.optional(),
    cc: addressList.optional(),
    bcc: addressList.optional(),
    subject: subjectLine.optional(),
    text: body.nullish().meta({ description: 'Null takes it away.' }),
    html: body.nullish().meta({ description: 'Null takes it away.' }),
    markdown: markdownBody.optional(),
    reply_to: replyToList.optional(),
    reply_to_message_id: messageId.nullish().meta({ description: 'Makes it a reply; null makes it none.' }),
    reply_all: replyAll.optional(),
    quote: quote.optional(),
    allow_auto_reply: allowAutoReply.optional(),
    expect_last_message_id: expectLast
      .nullish()
      .meta({ description: 'For a reply, see POST /drafts; null sends it whatever came since.' }),
    attachments: attachmentList.optional(),
    headers: customHeaders.optional(),
    scheduled_at: scheduledAt
      .nullish()
      .meta({ description: 'When it sends itself, to within seconds; null takes the time away.' }),
    ...context,
  })
  .refine(...oneBody)
export type DraftChanges = z.output<typeof draftChanges>

/** Body of a send, which may be omitted: a draft is sent once, whatever the body has. */
export const draftSendBody = z.strictObject({
  expect_seq: expectSeq.optional(),
  ...context,
  when_held: whenHeld,
  ...replayFields,
})
/** Query that deletes a draft. */
export const draftDeleteQuery = z.strictObject({
  expect_seq: z.coerce.number<number>().pipe(seq).optional().meta(ofSeq),
})
