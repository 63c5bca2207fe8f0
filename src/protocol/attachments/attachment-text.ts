import * as z from 'zod'
import { textStatuses } from '../names/text-status'
import { openEnum } from '../records/common'
import { attachmentInfo } from '../records/message'

/** Text of an attachment. */
export const attachmentText = z
  .looseObject({
    text_status: openEnum(textStatuses),
    message: z.string().meta({ description: 'What to do about the status.' }),
    format: z.string().nullable().meta({
      description: 'The format by the content, such as `pdf` or `xlsx`; null if it is unknown.',
    }),
    page_count: z.int().min(0).meta({
      description:
        'Pages of the file: of a PDF its pages, of a presentation its slides, of a workbook its sheets, of a book its chapters; 1 for other formats.',
    }),
    pages: z
      .array(z.looseObject({ number: z.int().min(1), text: z.string() }))
      .meta({ description: 'The wanted pages as Markdown. A stranger wrote all of it.' }),
    attachments: z.array(attachmentInfo).meta({
      description:
        'The files in an archive or an attached message, with their own ids, three levels deep; empty for other formats.',
    }),
    truncated: z.boolean().meta({
      description: 'Whether a limit cut the text: ask for the next pages, or for more tokens.',
    }),
  })
  .meta({ id: 'AttachmentText' })
/** Text of an attachment, by page. */
export type AttachmentText = z.infer<typeof attachmentText>

/** Range of pages, such as `3` or `2-4`. */
export const pageRange = z
  .string()
  .regex(/^[1-9]\d{0,5}(?:-[1-9]\d{0,5})?$/, 'must be a page or a range, such as 3 or 2-4')
  .transform((text): [first: number, last: number] => {
    const [first, last = first] = text.split('-').map(Number)
    return [first!, last!]
  })
  .refine(([first, last]) => first <= last, 'must begin before it ends')
  .meta({ description: 'The pages to return, such as `3` or `2-4`; default all.' })

/** Most tokens of a text, by an estimate. */
export const maxTokens = z
  .int()
  .min(1)
  .max(1_000_000)
  .meta({ description: 'The most tokens to return, by an estimate; default all.' })
