import { type Attachment, type Message, type OutgoingAttachment, UsageError } from 'restante'
import type { z } from 'zod'
import type { Desk } from './desk'
import type { files } from './schemas'

/**
 * A file of a message, by its number from 1, its id or its name.
 *
 * @throws UsageError `no_such_attachment`
 */
export function chooseAttachment(
  { attachments, handle }: Message,
  wanted: string | number | undefined,
): { attachment: Attachment; number: number } {
  const at = attachments.findIndex(
    ({ id, filename }, index) =>
      wanted === undefined || id === wanted || filename === wanted || `${index + 1}` === `${wanted}`,
  )
  const isUnclear = wanted === undefined && attachments.length > 1
  if (at >= 0 && !isUnclear) return { attachment: attachments[at]!, number: at + 1 }
  throw new UsageError(
    'no_such_attachment',
    attachments.length === 0
      ? `${handle} has no attachments`
      : `${handle} has ${attachments.length} attachments: give its number, 1 to ${attachments.length}, or its id`,
  )
}

const fileOf = async (
  attachment: Attachment,
  number: number,
  signal: AbortSignal | undefined,
): Promise<OutgoingAttachment> => ({
  filename: attachment.filename ?? `attachment-${number}`,
  contentType: attachment.contentType,
  content: await attachment.content({ signal }),
})

/** All files of a message, to send them on. */
export async function filesOf({ attachments }: Message, signal?: AbortSignal): Promise<OutgoingAttachment[]> {
  const files: OutgoingAttachment[] = []
  for (const [index, one] of attachments.entries()) files.push(await fileOf(one, index + 1, signal))
  return files
}

/**
 * Files as a model names them, to send.
 *
 * @throws UsageError `invalid_attachment`, `no_such_attachment`, and those of reading a message
 */
export async function readFiles(
  desk: Desk,
  given: z.output<typeof files>,
  signal?: AbortSignal,
): Promise<OutgoingAttachment[] | undefined> {
  if (!given) return undefined
  const read: OutgoingAttachment[] = []
  for (const { message: ref, attachment: wanted, filename, text } of given) {
    if (ref !== undefined && text === undefined) {
      const { attachment, number } = chooseAttachment(await desk.message(ref, signal), wanted)
      const file = await fileOf(attachment, number, signal)
      read.push({ ...file, filename: filename ?? file.filename } as OutgoingAttachment)
    } else if (ref === undefined && text !== undefined && filename !== undefined)
      read.push({ filename, content: text })
    else
      throw new UsageError(
        'invalid_attachment',
        'an attachment is either {"message": "m3", "attachment": 1}, a file of a mail, or {"filename": "a.csv", "text": "…"}, a new one',
      )
  }
  return read
}
