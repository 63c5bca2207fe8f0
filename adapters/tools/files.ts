import { type Attachment, type Message, type OutgoingAttachment, UsageError } from 'restante'
import type * as z from 'zod'
import type { files } from './schemas'
import type { ToolSession } from './tool-session'

/** Returns the files of a message without the pictures of its layout, as a prompt lists them. */
export const countedFiles = ({ attachments }: Message): Attachment[] =>
  attachments.filter(({ record }) => !record.decorative)

/**
 * Finds a file of a message, by its number from 1, its id or its name.
 *
 * @throws UsageError `no_such_attachment`
 */
export function chooseAttachment(
  message: Message,
  wanted: string | number | undefined,
): { attachment: Attachment; number: number } {
  const { handle } = message
  const counted = countedFiles(message)
  // The numbers of the others come after, so that a count of the listed files is right.
  const attachments = [...counted, ...message.attachments.filter(({ record }) => record.decorative)]
  const at = attachments.findIndex(
    ({ id, filename }, index) =>
      wanted === undefined || id === wanted || filename === wanted || `${index + 1}` === `${wanted}`,
  )
  const isUnclear = wanted === undefined && counted.length !== 1 && attachments.length > 1
  if (at >= 0 && !isUnclear) return { attachment: attachments[at]!, number: at + 1 }
  throw new UsageError(
    'no_such_attachment',
    attachments.length === 0
      ? `${handle} has no attachments`
      : `${handle} has ${attachments.length} attachments: give its number, 1 to ${attachments.length}, or its id`,
  )
}

const holdingTypes =
  /^message\/|^application\/(?:zip|x-zip-compressed|x-tar|gzip|x-gzip|octet-stream|(?:vnd\.)?ms-tnef|vnd\.ms-outlook)$/
/** Returns whether a file may have files in it. */
const mayHold = ({ contentType, filename }: Attachment): boolean =>
  holdingTypes.test(contentType) || /\.(?:eml|msg|zip|tar|tgz|gz|dat)$/i.test(filename ?? '')
/** Files that are opened to find one within them. */
const maxOpened = 30

/** Finds a file by its id in the archives and attached messages of a message. */
async function findWithin(
  files: readonly Attachment[],
  id: string,
  signal: AbortSignal | undefined,
): Promise<Attachment | undefined> {
  const open = files.filter(mayHold)
  for (let opened = 0; opened < maxOpened && open.length > 0; opened++) {
    const within = await open.shift()!.files({ signal })
    const found = within.find((file) => file.id === id)
    if (found) return found
    open.push(...within.filter(mayHold))
  }
  return undefined
}

/** As `chooseAttachment`; an id may also be that of a file within a file. */
export async function chooseFile(
  message: Message,
  wanted: string | number | undefined,
  signal: AbortSignal | undefined,
): Promise<{ attachment: Attachment; name: string }> {
  const isId = typeof wanted === 'string' && /^att_\w{1,60}$/.test(wanted)
  const isOwn = message.attachments.some(({ id }) => id === wanted)
  const within = isId && !isOwn ? await findWithin(message.attachments, wanted, signal) : undefined
  if (within) return { attachment: within, name: `File ${within.id}` }
  const { attachment, number } = chooseAttachment(message, wanted)
  return { attachment, name: `Attachment ${number}` }
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
