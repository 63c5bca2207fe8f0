import * as z from 'zod'
import { timestamp } from '../records/common'
import { attachmentInfo } from '../records/message'

/** Message that is attached to another. */
export const attachedMessage = z
  .looseObject({
    attachment_id: z.string().meta({ description: 'The attachment that it is.' }),
    message_id: z.string().meta({ description: 'The message that it came with.' }),
    from_addr: z.string().nullable().meta({ description: 'Null if it names no sender.' }),
    from_name: z.string().nullable().meta({ description: 'Null for none.' }),
    to_addrs: z.array(z.string()),
    cc_addrs: z.array(z.string()),
    reply_to: z.array(z.string()),
    subject: z.string(),
    sent_at: timestamp.nullable().meta({ description: 'By its Date field; null for none.' }),
    rfc822_message_id: z.string().nullable().meta({ description: 'Its Message-ID; null for none.' }),
    in_reply_to: z
      .string()
      .nullable()
      .meta({ description: 'The Message-ID that it answers; null for none.' }),
    references: z.array(z.string()),
    reply_text: z.string().meta({ description: 'The newly written text, without quotes and signature.' }),
    body_text: z.string(),
    body_html: z
      .string()
      .nullable()
      .meta({ description: 'As it was written: never show it unsanitised. Null for none.' }),
    headers: z.array(z.looseObject({ name: z.string(), value: z.string() })),
    authentication: z.null().meta({
      description:
        'Always null: nothing proves an attached message, and the person who sent it can have written it.',
    }),
    attachments: z
      .array(attachmentInfo)
      .meta({ description: 'Its files, with their own ids. `parent_id` is this attachment.' }),
    flaws: z.array(z.string()),
  })
  .meta({ id: 'AttachedMessage' })
/** A message that is attached to another. Nothing proves its fields. */
export type AttachedMessage = z.infer<typeof attachedMessage>
