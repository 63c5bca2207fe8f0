import { eraseMessage } from '../../core/erase-mail'
import { forwardMessage } from '../../core/forward'
import { listMessages, readMessage, readRaw } from '../../core/messages'
import { replyToMessage, sendMessage } from '../../core/submit'
import type { Handlers } from '../handler'
import { sentOrDraft } from '../sent-or-draft'

export const messagesHandlers: Handlers['messages'] = {
  list: ({ core, scope, request }) => listMessages(core, scope, request),
  get: ({ core, scope, request }) => readMessage(core, scope, request.id),
  raw: async ({ core, scope, request }) =>
    new Response((await readRaw(core, scope, request.id)) as Uint8Array<ArrayBuffer>, {
      headers: {
        'content-type': 'message/rfc822',
        'content-disposition': `attachment; filename="${request.id}.eml"`,
        'x-content-type-options': 'nosniff',
      },
    }),
  delete: ({ core, scope, request }) => eraseMessage(core, scope, request.id),
  send: async ({ core, scope, request }) => sentOrDraft(await sendMessage(core, scope, request)),
  forward: async ({ core, scope, request }) => sentOrDraft(await forwardMessage(core, scope, request)),
  reply: async ({ core, scope, request }) => sentOrDraft(await replyToMessage(core, scope, request)),
}
