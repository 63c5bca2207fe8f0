import { createSuppression, deleteSuppression, listSuppressions } from '../../core/suppressions'
import type { Handlers } from '../handler'

export const suppressionsHandlers: Handlers['suppressions'] = {
  create: async ({ core, scope, request }) => {
    const { replayed, answer } = await createSuppression(core, scope, request)
    return replayed ? Response.json(answer) : answer
  },
  list: ({ core, scope, request }) => listSuppressions(core, scope, request),
  delete: ({ core, scope, request }) => deleteSuppression(core, scope, request.id),
}
