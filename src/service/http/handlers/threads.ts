import { eraseThread } from '../../erasure/erase-mail'
import { listThreads, readThread } from '../../messages/threads'
import { searchThreads } from '../../search/search-threads'
import { assign, close, reopen, snooze } from '../../takeover/assignments'
import { hold, release } from '../../takeover/hold-operations'
import { addNote, listNotes } from '../../takeover/notes'
import { deleteSavedReply, listSavedReplies, saveReply } from '../../takeover/saved-replies'
import { AnswerWith } from '../answers/answer-with'
import type { Handlers } from './call'

export const threadsHandlers: Handlers['threads'] = {
  list: ({ ports, scope, request }) =>
    request.q === undefined ? listThreads(ports, scope, request) : searchThreads(ports, scope, request),
  get: ({ ports, scope, request }) => readThread(ports, scope, request.id),
  hold: ({ ports, scope, request }) => hold(ports, scope, request),
  release: ({ ports, scope, request }) => release(ports, scope, request.id),
  assign: ({ ports, scope, request }) => assign(ports, scope, request),
  close: ({ ports, scope, request }) => close(ports, scope, request.id),
  reopen: ({ ports, scope, request }) => reopen(ports, scope, request.id),
  snooze: ({ ports, scope, request }) => snooze(ports, scope, request),
  notes: ({ ports, scope, request }) => listNotes(ports, scope, request),
  addNote: async ({ ports, scope, request }) => new AnswerWith(await addNote(ports, scope, request), 201),
  delete: ({ ports, scope, request }) => eraseThread(ports, scope, request.id),
}

export const savedRepliesHandlers: Handlers['savedReplies'] = {
  create: async ({ ports, scope, request }) => {
    const { replayed, answer } = await saveReply(ports, scope, request)
    return replayed ? new AnswerWith(answer, 200) : answer
  },
  list: ({ ports, scope, request }) => listSavedReplies(ports, scope, request),
  delete: ({ ports, scope, request }) => deleteSavedReply(ports, scope, request.id),
}
