import { deleteInbox } from '../../erasure/erase-inbox'
import { createInbox, listInboxes, readInbox, updateInbox } from '../../inboxes/inboxes'
import { AnswerWith } from '../answers/answer-with'
import type { Handlers } from './call'

export const inboxesHandlers: Handlers['inboxes'] = {
  create: async ({ ports, scope, request }) => {
    const { replayed, answer } = await createInbox(ports, scope, request)
    return new AnswerWith(answer, replayed ? 200 : 201)
  },
  list: ({ ports, scope, request }) => listInboxes(ports, scope, request),
  get: ({ ports, scope, request }) => readInbox(ports, scope, request.id),
  update: ({ ports, scope, request }) => updateInbox(ports, scope, request),
  delete: ({ ports, scope, request }) => deleteInbox(ports, scope, request.id),
}
