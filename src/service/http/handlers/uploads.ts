import { createUpload } from '../../core/uploads'
import type { Handlers } from '../handler'

export const uploadsHandlers: Handlers['uploads'] = {
  create: ({ core, scope, request, incoming }) =>
    createUpload(core, scope, {
      filename: request.filename,
      contentType: incoming.headers.get('content-type') ?? '',
      content: async () => new Uint8Array(await incoming.arrayBuffer()),
    }),
}
