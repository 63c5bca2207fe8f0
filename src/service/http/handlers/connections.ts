import {
  createConnection,
  deleteConnection,
  listConnections,
  readConnection,
  retryConnection,
} from '../../connections/connections'
import { AnswerWith } from '../answers/answer-with'
import type { Handlers } from './call'

export const connectionsHandlers: Handlers['connections'] = {
  create: async ({ ports, scope, request, client, incoming }) => {
    const { replayed, answer } = await createConnection(ports, scope, request, client, incoming.signal)
    return new AnswerWith(answer, replayed ? 200 : 201)
  },
  list: ({ ports, scope, request }) => listConnections(ports, scope, request),
  get: ({ ports, scope, request }) => readConnection(ports, scope, request.id),
  retry: ({ ports, scope, request }) => retryConnection(ports, scope, request.id),
  delete: ({ ports, scope, request }) => deleteConnection(ports, scope, request.id),
}
