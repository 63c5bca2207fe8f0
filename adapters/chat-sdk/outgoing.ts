import {
  type AdapterPostableMessage,
  BaseFormatConverter,
  type Attachment as ChatAttachment,
  type FileUpload,
  type FormattedContent,
  parseMarkdown,
  type StreamChunk,
  stringifyMarkdown,
} from 'chat'
import { UsageError } from 'restante'
import { toHtml } from './html'

/** Content of a message, in the wire format. */
export interface WrittenMail {
  text: string
  html?: string
  attachments?: { filename: string; content_type?: string; content_base64: string }[]
}

/** Converter whose plain text is the Markdown itself, which is readable beside its HTML. */
class MailConverter extends BaseFormatConverter {
  toAst(written: string): FormattedContent {
    return parseMarkdown(written)
  }
  fromAst(content: FormattedContent): string {
    return stringifyMarkdown(content).trimEnd()
  }
}
const converter = new MailConverter()

const mediaType = /^[\w.+-]+\/[\w.+-]+$/

const bytesOf = async (data: FileUpload['data']): Promise<Uint8Array> => {
  if (data instanceof Blob) return new Uint8Array(await data.arrayBuffer())
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data
}

const encoded = async (filename: string, type: string | undefined, data: FileUpload['data']) => ({
  filename,
  content_type: type !== undefined && mediaType.test(type) ? type : undefined,
  content_base64: Buffer.from(await bytesOf(data)).toString('base64'),
})

const fileOf = async (attachment: ChatAttachment) => {
  const data = attachment.data ?? (await attachment.fetchData?.())
  if (data) return encoded(attachment.name ?? attachment.type, attachment.mimeType, data)
  throw new UsageError(
    'no_content',
    `the attachment ${attachment.name ?? attachment.url ?? ''} has neither data nor fetchData: read it and give its data`,
  )
}

const filesOf = async (message: object): Promise<WrittenMail['attachments']> => {
  const { files = [], attachments = [] } = message as { files?: FileUpload[]; attachments?: ChatAttachment[] }
  const all = [
    ...files.map(({ filename, mimeType, data }) => encoded(filename, mimeType, data)),
    ...attachments.map(fileOf),
  ]
  return all.length > 0 ? Promise.all(all) : undefined
}

/** Converts a post to a message: plain text stays plain, Markdown and cards also get HTML. */
export async function toMail(message: AdapterPostableMessage): Promise<WrittenMail> {
  const text = converter.renderPostable(message)
  if (typeof message === 'string') return { text }
  const attachments = await filesOf(message)
  if ('raw' in message) return { text, attachments }
  const content = 'ast' in message ? message.ast : parseMarkdown(text)
  return { text, html: toHtml(content), attachments }
}

/** Collects the text of a stream: a message must be complete before it is sent. */
export async function collect(stream: AsyncIterable<string | StreamChunk>): Promise<string> {
  let markdown = ''
  for await (const chunk of stream) {
    if (typeof chunk === 'string') markdown += chunk
    else if (chunk.type === 'markdown_text') markdown += chunk.text
  }
  return markdown
}

/** Returns the text of formatted content. */
export const renderFormatted = (content: FormattedContent): string => converter.fromAst(content)
