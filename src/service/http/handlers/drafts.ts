import { sendDraft } from '../../core/draft-send'
import { createDraft, deleteDraft, listDrafts, readDraft, updateDraft } from '../../core/drafts'
import type { Handlers } from '../handler'
import { sentOrDraft } from '../sent-or-draft'

export const draftsHandlers: Handlers['drafts'] = {
  create: ({ core, scope, request }) => createDraft(core, scope, request),
  list: ({ core, scope, request }) => listDrafts(core, scope, request),
  get: ({ core, scope, request }) => readDraft(core, scope, request),
  update: ({ core, scope, request }) => updateDraft(core, scope, request),
  delete: ({ core, scope, request }) => deleteDraft(core, scope, request.id),
  send: async ({ core, scope, request }) => sentOrDraft(await sendDraft(core, scope, request)),
}
