import type { Client } from '../../client/client'
import type { AttachmentText } from '../../protocol/attachments/attachment-text'
import { joinedPages } from '../../protocol/attachments/text-pages'
import { UsageError } from '../../protocol/errors/error'
import type { AttachmentInfo } from '../../protocol/records/message'
import type { ReadOptions } from '../cache/reader'

/** Options of `Attachment.text`. */
export interface AttachmentTextOptions extends ReadOptions {
  /** Page or range, such as `'3'` or `'2-4'`. Default: all. */
  pages?: string | undefined
  /** Limit of the text, in estimated tokens. Default: none. */
  maxTokens?: number | undefined
}

/** Returns the answer for a text; each request takes the service 25 seconds at most. */
async function readUntilDone(
  client: Client,
  request: { id: string; pages?: string | undefined; max_tokens?: number | undefined },
  { signal }: ReadOptions,
): Promise<AttachmentText> {
  const read = () => client.attachments.text(request, { signal })
  let found = await read()
  while (found.text_status === 'pending') found = await read()
  return found
}

/** Makes a file of its record: `Attachment`, which imports this file. */
type MakeFile<File> = new (client: Client, record: AttachmentInfo) => File

/** As `Attachment.message`. */
export async function message<File>(client: Client, id: string, options: ReadOptions, Made: MakeFile<File>) {
  const record = await client.attachments.message({ id }, options)
  return { record, attachments: record.attachments.map((one) => new Made(client, one)) }
}

/** As `Attachment.files`. */
export async function files<File>(
  client: Client,
  id: string,
  options: ReadOptions,
  Made: MakeFile<File>,
): Promise<{ attachments: File[] }> {
  const { attachments } = await readUntilDone(client, { id, pages: '1', max_tokens: 1 }, options)
  return { attachments: attachments.map((one) => new Made(client, one)) }
}

/** As `Attachment.text`. */
export async function readText(client: Client, id: string, options: AttachmentTextOptions): Promise<string> {
  const { pages, maxTokens: max_tokens } = options
  const found = await readUntilDone(client, { id, pages, max_tokens }, options)
  const { text_status: status } = found
  if (status !== 'ready')
    throw new UsageError('not_text', `attachment ${id} has no text (${status}): ${found.message}`)
  return joinedPages(found)
}
