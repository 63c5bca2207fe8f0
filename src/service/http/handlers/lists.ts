import { createList, deleteList, listLists } from '../../lists/lists'
import type { Handlers } from './call'

export const listsHandlers: Handlers['lists'] = {
  create: ({ ports, scope, request }) => createList(ports, scope, request),
  list: ({ ports, scope, request }) => listLists(ports, scope, request),
  delete: ({ ports, scope, request }) => deleteList(ports, scope, request.id),
}
