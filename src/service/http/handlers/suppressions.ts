import { createSuppression, deleteSuppression, listSuppressions } from '../../lists/suppressions'
import { AnswerWith } from '../answers/answer-with'
import type { Handlers } from './call'

export const suppressionsHandlers: Handlers['suppressions'] = {
  create: async ({ ports, scope, request }) => {
    const { replayed, answer } = await createSuppression(ports, scope, request)
    return replayed ? new AnswerWith(answer, 200) : answer
  },
  list: ({ ports, scope, request }) => listSuppressions(ports, scope, request),
  delete: ({ ports, scope, request }) => deleteSuppression(ports, scope, request.id),
}
