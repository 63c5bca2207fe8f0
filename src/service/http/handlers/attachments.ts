import { joinedPages } from '../../../protocol/attachments/text-pages'
import { routes } from '../../../protocol/routes/routes'
import { readAttachedMessage } from '../../extraction/attached-message'
import { readAttachmentText, readEncryptedText } from '../../extraction/attachment-text'
import { readAttachment, readAttachmentFile } from '../../messages/attachments'
import { createUpload } from '../../messages/uploads'
import { AnswerWith } from '../answers/answer-with'
import { downloadResponse, textResponse } from '../answers/download'
import { readUpTo } from '../requests/body-limit'
import type { Handlers } from './call'

/** Returns whether a client names Markdown before JSON in its `Accept`. */
function wantsMarkdown({ headers }: Request): boolean {
  const accepted = (headers.get('accept') ?? '').slice(0, 1_000).toLowerCase().split(',')
  const types = accepted.map((one) => one.split(';')[0]!.trim())
  return types.find((type) => type === 'text/markdown' || type === 'application/json') === 'text/markdown'
}

export const attachmentsHandlers: Handlers['attachments'] = {
  get: ({ ports, scope, request }) => readAttachment(ports, scope, request.id),
  content: async ({ ports, scope, request }) => {
    const { row, content } = await readAttachmentFile(ports, scope, request.id)
    return downloadResponse({
      content,
      filename: row.filename ?? row.id,
      contentType: row.content_type,
      version: row.id,
      range: request.range,
      ifRange: request['if-range'],
    })
  },
  text: async ({ ports, scope, request, incoming }) => {
    const { id, ...wanted } = request
    const text = await readAttachmentText(ports, scope, id, wanted)
    if (text.text_status === 'pending') return new AnswerWith(text, 202)
    const isRead = text.text_status === 'ready'
    return isRead && wantsMarkdown(incoming) ? textResponse(joinedPages(text), 'text/markdown') : text
  },
  message: ({ ports, scope, request }) => readAttachedMessage(ports, scope, request.id),
  encryptedText: ({ ports, scope, request: { id, ...wanted } }) =>
    readEncryptedText(ports, scope, id, wanted),
}

export const uploadsHandlers: Handlers['uploads'] = {
  create: ({ ports, scope, request, incoming }) =>
    createUpload(ports, scope, {
      filename: request.filename,
      contentType: incoming.headers.get('content-type') ?? '',
      content: () => readUpTo(routes.uploads.create.maxBodyBytes, incoming),
    }),
}
