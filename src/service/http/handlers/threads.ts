import { eraseThread } from '../../erasure/erase-mail'
import { listThreads, readThread } from '../../messages/threads'
import { searchThreads } from '../../search/search-threads'
import { hold, release } from '../../takeover/hold-operations'
import type { Handlers } from './call'

export const threadsHandlers: Handlers['threads'] = {
  list: ({ ports, scope, request }) =>
    request.q === undefined ? listThreads(ports, scope, request) : searchThreads(ports, scope, request),
  get: ({ ports, scope, request }) => readThread(ports, scope, request.id),
  hold: ({ ports, scope, request }) => hold(ports, scope, request),
  release: ({ ports, scope, request }) => release(ports, scope, request.id),
  delete: ({ ports, scope, request }) => eraseThread(ports, scope, request.id),
}
