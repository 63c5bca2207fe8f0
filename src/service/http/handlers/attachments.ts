import { readAttachment, readAttachmentFile } from '../../core/attachments'
import { downloadResponse } from '../download'
import type { Handlers } from '../handler'

export const attachmentsHandlers: Handlers['attachments'] = {
  get: ({ core, scope, request }) => readAttachment(core, scope, request.id),
  content: async ({ core, scope, request }) => {
    const { row, content } = await readAttachmentFile(core, scope, request.id)
    return downloadResponse({
      content,
      filename: row.filename ?? row.id,
      contentType: row.content_type,
      version: row.id,
      range: request.range,
      ifRange: request['if-range'],
    })
  },
}
