import { eraseThread } from '../../core/erase-mail'
import { listThreads, readThread } from '../../core/threads'
import type { Handlers } from '../handler'

export const threadsHandlers: Handlers['threads'] = {
  list: ({ core, scope, request }) => listThreads(core, scope, request),
  get: ({ core, scope, request }) => readThread(core, scope, request.id),
  delete: ({ core, scope, request }) => eraseThread(core, scope, request.id),
}
