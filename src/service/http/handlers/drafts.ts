import { sendDraft } from '../../core/draft-send'
import { createDraft, deleteDraft, listDrafts, readDraft, updateDraft } from '../../core/drafts'
import type { Handlers } from '../handler'

export const draftsHandlers: Handlers['drafts'] = {
  create: ({ core, scope, request }) => createDraft(core, scope, request),
  list: ({ core, scope, request }) => listDrafts(core, scope, request),
  get: ({ core, scope, request }) => readDraft(core, scope, request),
  update: ({ core, scope, request }) => updateDraft(core, scope, request),
  delete: ({ core, scope, request }) => deleteDraft(core, scope, request.id),
  send: async ({ core, scope, request }) => {
    const answer = await sendDraft(core, scope, request)
    return 'message_id' in answer ? answer : Response.json(answer, { status: 202 })
  },
}
