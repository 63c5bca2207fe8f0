import type { Client } from '../../client/client'
import { UsageError } from '../../protocol/errors/error'
import type { ReadOptions } from '../cache/reader'

/** Options of `Attachment.text`. */
export interface AttachmentTextOptions extends ReadOptions {
  /** Page or range, such as `'3'` or `'2-4'`. Default: all. */
  pages?: string | undefined
  /** Limit of the text, in estimated tokens. Default: none. */
  maxTokens?: number | undefined
}

/** As `Attachment.text`. */
export async function readText(client: Client, id: string, options: AttachmentTextOptions): Promise<string> {
  const { pages, maxTokens: max_tokens, signal } = options
  const read = () => client.attachments.text({ id, pages, max_tokens }, { signal })
  let found = await read()
  // Each answer takes the service 25 seconds.
  while (found.text_status === 'pending') found = await read()
  const { text_status: status, page_count: count } = found
  if (status !== 'ready')
    throw new UsageError('not_text', `attachment ${id} has no text (${status}): ${found.message}`)
  const shown = found.pages.map(({ number, text }) =>
    count > 1 ? `[Page ${number} of ${count}]\n${text}` : text,
  )
  return [...shown, ...(found.truncated ? ['[Cut here]'] : [])].join('\n\n')
}
