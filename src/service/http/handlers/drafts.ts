import { createDraft, deleteDraft, listDrafts, readDraft, updateDraft } from '../../outbound/drafts/drafts'
import { sendDraft } from '../../outbound/drafts/send'
import { type Handlers, sentOrDraft } from './call'

export const draftsHandlers: Handlers['drafts'] = {
  create: ({ ports, scope, request }) => createDraft(ports, scope, request),
  list: ({ ports, scope, request }) => listDrafts(ports, scope, request),
  get: ({ ports, scope, request }) => readDraft(ports, scope, request),
  update: ({ ports, scope, request }) => updateDraft(ports, scope, request),
  delete: ({ ports, scope, request }) => deleteDraft(ports, scope, request),
  send: async ({ ports, scope, request }) => sentOrDraft(await sendDraft(ports, scope, request)),
}
