import { type Attachment, type Message, type OutgoingAttachment, UsageError } from 'restante'
import type * as z from 'zod'
import type { files } from './schemas'
import type { ToolSession } from './tool-session'

/**
 * Finds a file of a message, by its number from 1, its id or its name.
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

/** Most lines that a search in a file shows. */
const maxFound = 100

/** Returns the lines of a file that have some words, with their neighbours and the number of their page. */
export function linesWith(text: string, wanted: string): string {
  const words = wanted.toLowerCase()
  const lines = text.split('\n')
  const shown = new Set<number>()
  let page = -1
  let found = 0
  for (const [at, line] of lines.entries()) {
    if (/^\[Page \d{1,6} of \d{1,6}\]$/.test(line)) page = at
    if (found >= maxFound || !line.toLowerCase().includes(words)) continue
    found += 1
    for (const near of [page, at - 1, at, at + 1]) if (near in lines) shown.add(near)
  }
  if (found === 0) return 'No line of the file has these words.'
  const sorted = [...shown].sort((one, other) => one - other)
  return sorted.map((at) => lines[at]!).join('\n')
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

/** Returns the messages that the model takes files from. */
export async function sourcesOf(
  session: ToolSession,
  given: z.output<typeof files>,
  signal?: AbortSignal,
): Promise<Message[]> {
  const named = (given ?? []).flatMap(({ message }) => (message === undefined ? [] : [message]))
  return Promise.all(named.map((ref) => session.message(ref, signal)))
}

/** File to send, with an identity that is the same in every process and for every way to name it. */
export interface ChosenFile {
  readonly file: OutgoingAttachment
  readonly identity: readonly (string | undefined)[]
}

/**
 * Reads the files that a model chose, to send them.
 *
 * @throws UsageError `invalid_attachment`, `no_such_attachment`, and those of reading a message
 */
export async function readFiles(
  session: ToolSession,
  given: z.output<typeof files>,
  signal?: AbortSignal,
): Promise<ChosenFile[]> {
  const read: ChosenFile[] = []
  for (const { message: ref, attachment: wanted, filename, text } of given ?? []) {
    if (ref !== undefined && text === undefined) {
      const { attachment, number } = chooseAttachment(await session.message(ref, signal), wanted)
      const file = await fileOf(attachment, number, signal)
      const named = { ...file, filename: filename ?? file.filename } as OutgoingAttachment
      read.push({ file: named, identity: [attachment.id, filename] })
    } else if (ref === undefined && text !== undefined && filename !== undefined)
      read.push({ file: { filename, content: text }, identity: [filename, text] })
    else
      throw new UsageError(
        'invalid_attachment',
        'an attachment is either {"message": "m1042-mxk", "attachment": 1}, a file of a mail, or {"filename": "a.csv", "text": "…"}, a new one',
      )
  }
  return read
}
