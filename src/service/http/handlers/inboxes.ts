import { deleteInbox } from '../../core/erase-inbox'
import { createInbox, listInboxes, readInbox, renameInbox } from '../../core/inboxes'
import type { Handlers } from '../handler'

export const inboxesHandlers: Handlers['inboxes'] = {
  create: async ({ core, scope, request }) => {
    const { replayed, answer } = await createInbox(core, scope, request)
    return Response.json(answer, { status: replayed ? 200 : 201 })
  },
  list: ({ core, scope, request }) => listInboxes(core, scope, request),
  get: ({ core, scope, request }) => readInbox(core, scope, request.id),
  update: ({ core, scope, request }) => renameInbox(core, scope, request),
  delete: ({ core, scope, request }) => deleteInbox(core, scope, request.id),
}
