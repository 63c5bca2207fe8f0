import * as z from 'zod'
import { textStatuses } from '../names/text-status'
import { addressInput, consumerName, openEnum, seq, timeInput, timestamp } from './common'
import { customHeaders } from './custom-headers'
import { invitation } from './invitation'

/** Why a message has not reached a recipient. */
const deliveryReason = openEnum([
  'unknown_address',
  'unknown_domain',
  'mailbox_full',
  'greylisted',
  'throttled',
  'policy',
  'content',
  'too_large',
  'unsupported',
  'dns_failure',
  'unreachable',
  'tls_failure',
  'suppressed',
  'other',
])
export type DeliveryReason = z.infer<typeof deliveryReason>

/** Status of a sent message for one of its recipients. */
const recipientStatus = z
  .looseObject({
    address: z.string(),
    status: openEnum(['queued', 'deferred', 'sent', 'delivered', 'bounced', 'complained', 'rejected']),
    reason: deliveryReason.nullable().meta({ description: 'Why it is not there; null where it is.' }),
    kind: openEnum(['hard', 'soft']).nullable().meta({
      description:
        'hard: the address takes no mail, now and ever. soft: it may another time. Null where nothing failed.',
    }),
    detail: z
      .string()
      .nullable()
      .meta({ description: 'What the other side last said; null where it said nothing.' }),
  })
  .meta({ id: 'RecipientStatus' })
export type RecipientStatus = z.infer<typeof recipientStatus>

/** A file of a message: inline in base64, or uploaded before. The size limit of the message bounds it. */
const attachmentInput = z
  .strictObject({
    filename: z.string().min(1).max(255).optional(),
    content_type: z
      .string()
      .max(255)
      .regex(
        /^[\w.+-]+\/[\w.+-]+(?: ?; ?[\w.-]{1,60}=(?:[\w.:+-]{1,80}|"[\w .:+-]{1,80}"))*$/,
        'must be a media type such as application/pdf, or text/calendar; method=REQUEST',
      )
      .optional()
      .meta({ description: 'Its parameters `charset` and `method` are kept; others are left out.' }),
    content_base64: z.base64().optional(),
    upload_id: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: 'In place of `content_base64`: the id that POST /uploads gave.' }),
    content_id: z
      .string()
      .max(200)
      .regex(/^[\w.@+-]+$/, 'must be letters, digits and . _ @ + -')
      .optional()
      .meta({
        description:
          'For an inline image: the `cid:` that the HTML names. A file that the HTML does not name leaves as an attachment.',
      }),
  })
  .refine((one) => (one.content_base64 === undefined) !== (one.upload_id === undefined), {
    error: 'give either content_base64 or upload_id',
  })
  .refine((one) => one.upload_id !== undefined || one.filename !== undefined, {
    path: ['filename'],
    error: 'is needed with content_base64',
  })
/** A file to send: its content in base64, or the id of an upload. */
export type AttachmentInput = z.output<typeof attachmentInput>
/** Files of a message. */
export const attachmentList = z.array(attachmentInput).max(100)

/** An attachment without its content. */
export const attachmentInfo = z
  .looseObject({
    id: z.string(),
    filename: z.string().nullable().meta({ description: 'Null where the sender named none.' }),
    content_type: z.string(),
    size: z.int().min(0),
    inline: z.boolean(),
    content_id: z
      .string()
      .nullable()
      .meta({ description: 'The name by which HTML shows it (`cid:`), without brackets; null for none.' }),
    decorative: z.boolean().optional().meta({
      description:
        'Whether it is a picture of the layout: the HTML names it by `cid:`, and it is tiny or stands in a signature or quote. It does not count for `has_attachment`. Missing in events of earlier versions.',
    }),
    text_status: openEnum(textStatuses).optional().meta({
      description:
        'State of its text. A change is a `message.updated`. Missing in events of earlier versions.',
    }),
    page_count: z.int().min(0).optional().meta({ description: 'Pages of its text, once it is read.' }),
    text_tokens: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'Tokens of its text, by an estimate, once it is read.' }),
    parent_id: z.string().optional().meta({
      description:
        'The attached message or archive that has this file; missing for the files of the message itself.',
    }),
    text_message: z.string().optional().meta({ description: 'What to do about `text_status`.' }),
  })
  .meta({ id: 'AttachmentInfo' })
/** A file of a message, without its content. */
export type AttachmentInfo = z.infer<typeof attachmentInfo>

/** An attachment with its content (specification 2.11). */
export const attachment = z
  .looseObject({
    filename: z.string().nullable().meta({ description: 'Null where the sender named none.' }),
    content_type: z.string(),
    content_base64: z.string(),
  })
  .meta({ id: 'Attachment' })
/** A file with its content in base64. */
export type Attachment = z.infer<typeof attachment>

/** Results of SPF, DKIM, DMARC and ARC for a message on arrival (RFC 8601 section 2.7). */
const authentication = z.looseObject({
  spf: z.string(),
  dkim: z.string().meta({
    description:
      'The best of its signatures; `policy` for one that holds and proves nothing, such as one over part of the body.',
  }),
  dmarc: z.string(),
  arc: z.string(),
  dkim_aligned: z.boolean().optional().meta({
    description:
      'Whether the domain of `from_addr` signed all of it (DKIM), whatever policy it has. Mail of older services lacks it.',
  }),
  from_verified: z.boolean().meta({
    description:
      'Whether it is proven that the domain of `from_addr` sent it: by DMARC, or because it never left here.',
  }),
  spf_aligned: z.boolean().optional().meta({
    description:
      'Whether SPF passed for a domain that is aligned with `from_addr`: then its server sent the whole message. Messages from older services lack it.',
  }),
  signed_fields: z.array(z.string()).optional().meta({
    description:
      'Lower-case names of the header fields that a sound DKIM signature aligned with `from_addr` covers; empty without such a signature. A field that is not signed may be added by anyone who passes the message on. Messages from older services lack it.',
  }),
  source: openEnum(['smtp', 'key', 'imap']).optional().meta({
    description:
      'Who judged: the SMTP listener of this service, a request with an inbound key, or the server of a connected mailbox (and this service by DKIM). Messages from older services lack it.',
  }),
  replayed: z.boolean().optional().meta({
    description:
      'Whether this is a copy of a signed message that was sent earlier or to somebody else. Its signature is over 7 days old, or arrived before for another recipient. Its unsigned fields prove nothing, even with SPF. Messages from older services lack it.',
  }),
})
/** Results of SPF, DKIM, DMARC and ARC (RFC 8601 section 2.7), and whether they prove the sender. */
export type Authentication = z.infer<typeof authentication>

/** Why a message is not answered unless requested. */
const unanswerableReason = openEnum(['automatic', 'mail_loop', 'own_address', 'no_sender', 'answered'])
/** Why a message is not answered unless requested. */
export type UnanswerableReason = z.infer<typeof unanswerableReason>

/** A mailing list that a message came through. */
const mailList = z
  .looseObject({
    id: z
      .string()
      .nullable()
      .meta({ description: 'Its List-Id (RFC 2919), without brackets; null for none.' }),
    name: z
      .string()
      .nullable()
      .meta({ description: 'What it calls itself beside its id; null for nothing.' }),
    post: z.string().nullable().meta({
      description:
        'The address to which one writes to all who read it (List-Post, RFC 2369); null where it takes no mail or names no address.',
    }),
    unsubscribe: z.string().nullable().meta({
      description: 'The first address of its List-Unsubscribe, `https:` or `mailto:`; null for none.',
    }),
    from_list: z.boolean().meta({
      description:
        'Whether it wrote its own address into From, as with `Ann via Talk`: then `authentication` is of the list, and proves no person.',
    }),
    author_addr: z.string().nullable().meta({
      description:
        'Who wrote it, as a list says that wrote itself into From; nothing proves it. Null where From has the person, or the list does not say.',
    }),
    author_name: z.string().nullable().meta({ description: 'The name with it; null for none.' }),
    answers_go_to: openEnum(['sender', 'list']).meta({
      description:
        'Whom a reply goes to that does not say otherwise by `target`: the person who wrote it, or the list where nothing names the person.',
    }),
  })
  .meta({ id: 'MailList' })
/** The mailing list that a message came through, and the recipient of a reply to it. */
export type MailList = z.infer<typeof mailList>

/** A program that submitted a message with the words of a person. */
const via = z
  .looseObject({
    program: z.string().nullable().meta({
      description: 'Its name, such as `Zendesk`; null if only the structure of the message shows it.',
    }),
    kind: openEnum(['forward', 'ticket', 'tracker', 'form', 'marketplace', 'social']).meta({
      description: '`forward`: a rule of a mailbox passed the message on.',
    }),
    author_addr: z.string().nullable().meta({
      description:
        'Address of the person who wrote, as the message says; nothing proves it. Null if unknown.',
    }),
    author_name: z.string().nullable().meta({ description: 'Name of that person; null if unknown.' }),
  })
  .meta({ id: 'Via' })
/** A program that submitted a message with the words of a person; nothing proves that person's identity. */
export type Via = z.infer<typeof via>
const senderOnly = 'Missing for a key without `manage`.'
/** Sender or approver of a message. */
export const sentBy = z
  .looseObject({
    kind: openEnum(['operator', 'key', 'consumer']).meta({
      description:
        'operator: a person, in the console or at the command line. key: a program with an API key. consumer: the handler of a named consumer, as the program says.',
    }),
    id: z
      .string()
      .nullable()
      .optional()
      .meta({
        description: `Id of the operator or key, or the name of the consumer; null for a person at the command line. ${senderOnly}`,
      }),
    name: z
      .string()
      .nullable()
      .optional()
      .meta({
        description: `Name of the operator, key or consumer; of an operator without a name the address. Null for no name. ${senderOnly}`,
      }),
  })
  .meta({ id: 'SentBy' })
/** Sender or approver of a message: an operator, an API key or a named consumer. */
export type SentBy = z.infer<typeof sentBy>

const summaryFields = {
  id: z.string(),
  thread_id: z.string(),
  inbox_id: z.string(),
  direction: openEnum(['inbound', 'outbound']),
  from_addr: z.string(),
  from_name: z.string().nullable().meta({ description: 'Null where From has an address only.' }),
  to_addrs: z.array(z.string()),
  cc_addrs: z.array(z.string()),
  bcc_addrs: z.array(z.string()).meta({ description: 'Only on mail that the account sent.' }),
  reply_to: z.array(z.string()),
  list: mailList
    .nullable()
    .meta({ description: 'The list that it came through; null where it came through none.' }),
  subject: z.string(),
  preview: z.string().meta({ description: 'The first 200 characters of what was written.' }),
  reply_text: z.string().nullable().meta({
    description:
      'What the sender wrote now, without quoted text and signature; null where that is not known. In events at most 4 KiB.',
  }),
  delivery_status: openEnum([
    'received',
    'queued',
    'sending',
    'deferred',
    'sent',
    'delivered',
    'bounced',
    'complained',
    'rejected',
  ]),
  delivery_detail: z
    .string()
    .nullable()
    .meta({ description: 'What the other side last said; null where it said nothing.' }),
  recipients: z.array(recipientStatus).optional().meta({
    description: 'On a message that was sent, read by itself, and in the events of its delivery.',
  }),
  labels: z.array(z.string()),
  label_ids: z
    .array(z.string())
    .meta({ description: 'The ids of `labels`, in the same order: a rename does not change them.' }),
  attachments: z.array(attachmentInfo),
  rfc822_message_id: z
    .string()
    .nullable()
    .meta({ description: 'The Message-ID, with angle brackets; null where the mail has none.' }),
  in_reply_to: z
    .string()
    .nullable()
    .meta({ description: 'The Message-ID that it answers; null where it names none.' }),
  references: z.array(z.string()),
  auto_submitted: openEnum(['no', 'auto-generated', 'auto-replied']),
  auto_reason: openEnum(['bounce', 'complaint', 'receipt', 'auto-reply', 'list', 'bulk', 'notification'])
    .nullable()
    .meta({ description: 'By what it shows that a program wrote it; null for a person.' }),
  via: via.nullable().optional().meta({
    description:
      'The program that submitted the words of a person, such as a help desk or a forwarding rule; null for other messages. Messages from older services lack it.',
  }),
  invitation: invitation.nullable().optional().meta({
    description:
      'The invitation in it, or the answer to one; null for none. Messages from older services lack it.',
  }),
  unanswerable: unanswerableReason.nullable().meta({
    description: [
      'Why a reply is refused with `automatic_mail`, and why consumers skip the message unless they are told otherwise. Null: it can be answered.',
      '- `automatic`: a report, an automatic answer, or a program’s answer to mail of the account.',
      '- `mail_loop`: agents wrote the last 20 messages of the thread, or the author got as many answers in this hour as the inbox allows.',
      '- `own_address`: an answer would come back to this service, or the sender pretends to belong to the account.',
      '- `no_sender`: no sender can be written to.',
      '- `answered`: a person answered it in the connected mailbox.',
    ].join('\n'),
  }),
  new_participant: z.boolean().meta({
    description:
      'Whether somebody wrote into a thread who had no part in it before, or who is not proven to be the one who had.',
  }),
  authentication: authentication
    .nullable()
    .meta({ description: 'Null when it was not judged: nothing proves who wrote this.' }),
  flaws: z.array(z.string()).meta({
    description: [
      'Problems of the message:',
      '- `unparsable`, `unread`: it could not be read, or not even its header: nothing proves its sender.',
      '- `header-too-large`: the header or a field was cut: nothing proves its sender.',
      '- `header-malformed`: the header has a NUL or a CR without LF: nothing proves its sender.',
      '- `address-malformed`: To, Cc or Reply-To has an address that cannot be written to; answers leave it out.',
      '- `address-mended`: an address in one of these fields had an error that could be corrected.',
      '- `charset-guessed`, `header-charset-guessed`, `boundary-guessed`: the label was missing or wrong.',
      '- `unproven-report`: it says that it is a bounce or a complaint, and nothing proves it.',
    ].join('\n'),
  }),
  traceparent: z.string().optional().meta({
    description:
      'The span in which the service took it in, or was asked to send it (W3C Trace Context); only where it had an SDK of OpenTelemetry.',
  }),
  size: z.int().min(0).meta({ description: 'Bytes of the original.' }),
  sent_at: timestamp
    .nullable()
    .meta({ description: 'By its Date field, or when the account sent it; null where it has no date.' }),
  received_at: timestamp
    .nullable()
    .meta({ description: 'When it came in; null on mail that the account sent.' }),
  sent_by: sentBy.nullable().optional().meta({
    description:
      'Who sent it: only on a message that was sent. Null if it was sent elsewhere, by the service itself, or by an older service.',
  }),
  approved_by: sentBy.nullable().optional().meta({
    description: 'The operator who approved it as a draft: only on a message that was sent. Null for none.',
  }),
  run: z
    .looseObject({
      messages_read: z.int().nullable().meta({
        description: 'Number of messages that the program had read, as it says; null if it did not say.',
      }),
      duration_ms: z.int().nullable().meta({
        description: 'Milliseconds since its consumer got the answered message; null outside consumers.',
      }),
    })
    .nullable()
    .optional()
    .meta({
      description: 'The run that wrote it: only on a message that was sent. Null if nothing is known of it.',
    }),
  created_at: timestamp,
  created_seq: seq.meta({
    description: 'Position of the event that told of it first: unique in the account, and never another.',
  }),
  seq,
}

/** A message in lists and events: everything but the bodies. */
export const messageSummary = z.looseObject(summaryFields).meta({ id: 'MessageSummary' })
/** A message without its bodies, as in lists and events. */
export type MessageSummary = z.infer<typeof messageSummary>

/** A one-time code in a message. */
const foundCode = z
  .looseObject({
    code: z.string().meta({ description: 'Without the spaces or hyphens that divide digits.' }),
    in: openEnum(['text', 'subject']),
    offset: z.int().min(0).meta({
      description: 'Where it stands in `body_text` or `subject`, in UTF-16 code units.',
    }),
    length: z.int().min(1),
  })
  .meta({ id: 'FoundCode' })
/** A one-time code that was found in a message. */
export type FoundCode = z.infer<typeof foundCode>

/** A link of a message that triggers an action. */
const foundLink = z
  .looseObject({
    url: z.string(),
    target: z.string().nullable().optional().meta({
      description:
        'The address inside a link that counts or checks clicks, as it is written there: null if none is found. Nothing is fetched; `domain`, `from_sender` and `warnings` are about `url`.',
    }),
    kind: openEnum(['confirm', 'reset', 'sign-in', 'invite', 'unsubscribe']),
    text: z.string().meta({ description: 'What is shown in its place; empty for a bare address.' }),
    offset: z.int().min(0).nullable().meta({
      description: 'Where the address stands in `body_text`; null where only the HTML has it.',
    }),
    domain: z.string().meta({ description: 'The part of its host that somebody registered.' }),
    from_sender: z.boolean().meta({
      description:
        'Whether that is the domain of the sender, which only `authentication.from_verified` proves.',
    }),
    warnings: z
      .array(
        openEnum([
          'shows-other-domain',
          'looks-like-sender',
          'international-domain',
          'name-before-host',
          'no-domain',
        ]),
      )
      .meta({ description: 'Why it may be a trap.' }),
  })
  .meta({ id: 'FoundLink' })
/** A link that confirms, resets, signs in, invites or unsubscribes, with warnings if it looks like a trap. */
export type FoundLink = z.infer<typeof foundLink>

/** Report of a bounce or a complaint about a sent message. */
const report = z
  .looseObject({
    kind: openEnum(['bounce', 'complaint']),
    type: z.string().nullable().meta({
      description: 'Of a complaint: `abuse`, `not-spam` and so on; null where it says none, and of a bounce.',
    }),
    message_id: z.string().nullable().meta({
      description: 'The id of the message it is about; null where this inbox sent none like that.',
    }),
    believed: z.boolean().optional().meta({
      description:
        'Whether it counts: it came to the signed return path of the mail, or from the smarthost, or somebody believed it by hand (POST /messages/{id}/believe-report). One that is not believed changes nothing. Reports of older services lack it; those were.',
    }),
    recipients: z.array(
      z.looseObject({
        address: z.string(),
        action: openEnum(['failed', 'delayed', 'delivered', 'complained']),
        kind: openEnum(['hard', 'soft']).nullable().meta({
          description:
            'hard: the address will not work tomorrow either. soft: it may. Null where nothing failed.',
        }),
        status: z
          .string()
          .nullable()
          .meta({ description: 'Such as `5.1.1` (RFC 3463); null where it names none.' }),
        diagnostic: z
          .string()
          .nullable()
          .meta({ description: 'What the other side said; null for nothing.' }),
      }),
    ),
  })
  .meta({ id: 'Report' })
/** Response to a request to believe a report. */
export const believedReport = z
  .looseObject({
    id: z.string(),
    message_id: z.string().meta({ description: 'The message that it is about.' }),
    believed: z.literal(true),
  })
  .meta({ id: 'BelievedReport' })
export type BelievedReport = z.infer<typeof believedReport>

/** A bounce or a complaint about a sent message. */
export type Report = z.infer<typeof report>

/** A piece of a text: a match, or the text between matches. */
const textPiece = z.looseObject({ text: z.string(), hit: z.boolean() }).meta({ id: 'TextPiece' })
/** A piece of a text: a match, or the text between matches. */
export type TextPiece = z.infer<typeof textPiece>

const fileHighlights = z.looseObject({
  attachment_id: z.string(),
  filename: z.string().nullable().meta({ description: 'Null if the sender gave none.' }),
  page: z.int().min(1).meta({ description: 'The first page with words of the query.' }),
  snippet: z.array(textPiece).meta({ description: 'The part of this page with the most of them.' }),
})
/** A file of a search result with words of the query. */
export type FileHighlights = z.infer<typeof fileHighlights>

/** Subject and snippet of a search result, in pieces that form one line each. */
const highlights = z
  .looseObject({
    subject: z.array(textPiece),
    snippet: z
      .array(textPiece)
      .meta({ description: 'The part of the text that has the most of what was looked for.' }),
    files: z
      .array(fileHighlights)
      .meta({ description: 'The files that have words of the query, of the first 50 files of a page.' }),
  })
  .meta({ id: 'Highlights' })
/** Subject and snippet of a search result, in pieces that form one line each. */
export type Highlights = z.infer<typeof highlights>

/** A message in lists (specification 4.5). */
export const listedMessage = z
  .looseObject({
    ...summaryFields,
    body_text: z
      .string()
      .optional()
      .meta({ description: 'At most 64 KiB of it, where the list was not asked to leave it out.' }),
    body_truncated: z
      .boolean()
      .optional()
      .meta({ description: 'Whether there is more of `body_text`: `GET /messages/{id}` has all of it.' }),
    highlights: highlights
      .optional()
      .meta({ description: 'What was looked for, where the list was asked to highlight it.' }),
  })
  .meta({ id: 'ListedMessage' })
/** A message in lists, with at most 64 KiB of its text. */
export type ListedMessage = z.infer<typeof listedMessage>

/** A whole message (specification 2.9). The original bytes are at `/messages/{id}/raw`. */
export const message = z
  .looseObject({
    ...summaryFields,
    body_text: z.string(),
    body_html: z.string().nullable().meta({
      description: 'As the sender wrote it: never show it unsanitised. Null for a message without HTML.',
    }),
    headers: z.array(z.looseObject({ name: z.string(), value: z.string() })),
    report: report
      .nullable()
      .meta({ description: 'What a bounce or a complaint says; null for any other mail.' }),
    codes: z
      .array(foundCode)
      .meta({ description: 'One-time codes in an inbound message, the likeliest first.' }),
    links: z.array(foundLink).meta({
      description: 'Links of an inbound message that confirm, reset, sign in, invite or unsubscribe.',
    }),
  })
  .meta({ id: 'Message' })
/** A message with its whole text and header. */
export type Message = z.infer<typeof message>

/** Response to a send, the first time and on replay (specification 2.8). */
export const sendResult = z
  .looseObject({
    id: z.string(),
    thread_id: z.string(),
    message_id: z.string().meta({ description: 'The RFC 5322 Message-ID, with angle brackets.' }),
    relay_message_id: z.string().meta({ description: 'The queue id of the service, given at submit.' }),
    idempotent: z.boolean().meta({ description: 'True where this send had been carried out before.' }),
    left_out: z.array(z.string()).optional().meta({
      description:
        'Addresses on the answered message that cannot be written to, and so did not get this reply. Missing if there are none, and in a replay.',
    }),
  })
  .meta({ id: 'SendResult' })
/** Result of a send: the ids of the message, and whether it had been carried out before. */
export type SendResult = z.infer<typeof sendResult>

/** Recipients of a message. */
export const addressList = z.array(addressInput).max(100)

/** Fields that make a send safe to repeat, and name its consumer. */
export const replayFields = {
  client_id: z.string().min(1).max(255).optional().meta({
    description:
      'Makes the send safe to repeat: an account sends one message per client_id, with no time limit.',
  }),
  replay: z.enum(['strict', 'first_wins']).default('strict').meta({
    description: 'With other content under the same client_id: refuse, or answer the first result.',
  }),
  release_on_discard: z.boolean().default(false).meta({
    description: 'Frees the client_id once the draft that it led to is deleted or rejected: it sends again.',
  }),
  consumer: consumerName.optional().meta({
    description:
      'The consumer in whose handler this is sent, which `sent_by` names then. It is no part of what a repeat is compared by.',
  }),
  messages_read: z.int().min(0).max(100_000).optional().meta({
    description: 'Number of messages that the program had read for it, which `run` of the message repeats.',
  }),
}

/** Selects whether a send into a held thread is refused or becomes a draft. */
export const whenHeld = z.enum(['refuse', 'draft']).default('refuse').meta({
  description:
    'Where people hold the thread: refuse with `thread_held`, or write the reply or forward as a suggestion for them (202). It is no part of what a repeat is compared by.',
})

/** Addresses that receive the answers to a message. */
export const replyToList = addressList.meta({
  description:
    'Where answers to the mail go, in place of its sender (the header Reply-To, RFC 5322 section 3.6.2).',
})

/** Time at which a message sends itself. */
export const scheduledAt = timeInput.meta({
  description: 'When it sends itself, to within seconds. A time that has passed means at once.',
})

/** Whether to quote the answered message below the answer. */
export const quoteOriginal = z.boolean().meta({
  description:
    'Puts the text of the message that is answered below what is written, as a quotation, in text and HTML; the key needs the scope `read` too.',
})

/** Whole body of a message, in Markdown. */
export const markdownBody = z.string().max(200_000).meta({
  description:
    'In place of `text` and `html`: what the mail says in Markdown (CommonMark, tables, `~~struck~~`), which goes out as HTML and as plain text. HTML within it is text, links lead to `http`, `https` and `mailto` only, and of a picture its description is left.',
})

type Bodies = Partial<Record<'text' | 'html' | 'markdown', unknown>>
/** Refuses a body that is given twice: for `refine`. */
export const oneBody: [check: (body: Bodies) => boolean, problem: { path: string[]; error: string }] = [
  ({ text, html, markdown }) => markdown === undefined || (text === undefined && html === undefined),
  { path: ['markdown'], error: 'is the whole body: give it, or text and html' },
]

/** Subject of an outgoing message: one line (RFC 5322 section 2.2). */
export const subjectLine = z
  .string()
  .trim()
  .max(2_000)
  .regex(/^[^\r\n]*$/, 'must be one line, without CR or LF')

const contentFields = {
  reply_to: replyToList.optional(),
  text: z.string().max(5_000_000).optional(),
  html: z.string().max(5_000_000).optional(),
  markdown: markdownBody.optional(),
  attachments: attachmentList.optional(),
  headers: customHeaders.optional(),
  scheduled_at: scheduledAt.optional(),
  when_held: whenHeld,
  ...replayFields,
}

/** Body of POST /messages. */
export const sendBody = z
  .strictObject({
    inbox_id: z
      .string()
      .optional()
      .meta({ description: 'Which inbox sends. May be left out where the key reaches only one.' }),
    to: addressList.default([]),
    cc: addressList.default([]),
    bcc: addressList.default([]),
    subject: subjectLine.default(''),
    ...contentFields,
  })
  .refine(...oneBody)

/** Whether to answer messages of programs, too (RFC 3834 section 2). */
export const allowAutoReply = z.boolean().meta({
  description: 'Answer also what a program wrote, which is refused with `automatic_mail` otherwise.',
})

/** Recipient of a reply to a message of a mailing list. */
const replyTarget = z.enum(['sender', 'list']).meta({
  description:
    'For a message that came through a list. `sender` answers the person, `list` everybody on the list. With `reply_all`, the other one is in Cc. `list` is refused with `no_recipients` where `list.post` is null.',
})
/** Recipient of a reply to a message of a mailing list. */
export type ReplyTarget = z.infer<typeof replyTarget>

/** Id of the message that must be the newest of the thread when a reply is sent. */
export const expectLast = z.string().min(1).max(64)

/** Body of POST /messages/{id}/reply (specification 4.4). */
export const replyBody = z
  .strictObject({
    target: replyTarget.optional(),
    reply_all: z.boolean().default(false),
    quote: quoteOriginal.optional(),
    cc: addressList.default([]),
    bcc: addressList.default([]),
    expect_last_message_id: expectLast.optional().meta({
      description:
        'Refuse with `thread_moved` when the thread has a newer message than this. With `scheduled_at`, it is checked again at that time: then the draft fails.',
    }),
    allow_auto_reply: allowAutoReply.default(false),
    ...contentFields,
  })
  .refine(...oneBody)

/** Body of POST /messages/{id}/forward: its text stands above the message. */
export const forwardBody = z
  .strictObject({
    to: addressList.default([]),
    cc: addressList.default([]),
    bcc: addressList.default([]),
    ...contentFields,
  })
  .refine(...oneBody)
