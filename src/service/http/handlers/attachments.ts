import { routes } from '../../../protocol/routes/routes'
import { readAttachedMessage } from '../../extraction/attached-message'
import { readAttachmentText, readEncryptedText } from '../../extraction/attachment-text'
import { readAttachment, readAttachmentFile } from '../../messages/attachments'
import { createUpload } from '../../messages/uploads'
import { AnswerWith } from '../answers/answer-with'
import { downloadResponse } from '../answers/download'
import { readUpTo } from '../requests/body-limit'
import type { Handlers } from './call'

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
  text: async ({ ports, scope, request }) => {
    const { id, ...wanted } = request
    const text = await readAttachmentText(ports, scope, id, wanted)
    return text.text_status === 'pending' ? new AnswerWith(text, 202) : text
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
