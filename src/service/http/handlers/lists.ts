import { createList, deleteList, listLists } from '../../core/lists'
import type { Handlers } from '../handler'

export const listsHandlers: Handlers['lists'] = {
  create: ({ core, scope, request }) => createList(core, scope, request),
  list: ({ core, scope, request }) => listLists(core, scope, request),
  delete: ({ core, scope, request }) => deleteList(core, scope, request.id),
}
