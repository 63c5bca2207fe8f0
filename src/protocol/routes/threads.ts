import * as z from 'zod'
import { noContent, pageAnswer, pageQuery } from '../records/common'
import { assignBody, snoozeBody } from '../records/desk/assignment'
import { note, noteBody } from '../records/desk/note'
import { savedReply, savedReplyBody } from '../records/desk/saved-reply'
import { holdBody, thread, threadStatuses } from '../records/thread'
import {
  changeErrors,
  idParams,
  includeAway,
  labelOfList,
  searchAnswer,
  searchMode,
  searchText,
} from './params'
import type { Route } from './route'

/** A flag in a query. */
const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional()

const changed = {
  method: 'POST',
  idempotent: true,
  access: 'manage',
  params: idParams,
  success: { status: 200 },
  answer: thread,
  errors: ['account_expired', 'claim_required', 'not_found'],
} as const

/** Work on conversations: assignment, status and notes. */
const deskRoutes = {
  assign: {
    ...changed,
    path: '/threads/{id}/assign',
    summary: 'Assign a thread to an operator or a consumer',
    description:
      'Assigning an operator holds the thread until it is released; assigning a consumer releases it. Without an assignee, a hold stays as it is.',
    body: assignBody,
  },
  close: {
    ...changed,
    path: '/threads/{id}/close',
    summary: 'Close a thread',
    description:
      'Its messages get the label `archived`, and a hold ends: consumers do not get messages that wait in it. A new message opens it again.',
  },
  reopen: {
    ...changed,
    path: '/threads/{id}/reopen',
    summary: 'Open a closed or snoozed thread',
    description: 'Its messages lose the label `archived`.',
  },
  snooze: {
    ...changed,
    path: '/threads/{id}/snooze',
    summary: 'Snooze a thread until a time',
    description: 'The thread is open again at that time, or with a new message.',
    body: snoozeBody,
  },
  notes: {
    method: 'GET',
    path: '/threads/{id}/notes',
    summary: 'List the notes on a thread',
    description: 'A key without the scope `manage` gets only those for the agent.',
    access: 'read',
    params: idParams,
    query: z.strictObject({
      order: z.enum(['asc', 'desc']).default('asc').meta({ description: '`desc`: newest first.' }),
      ...pageQuery,
    }),
    success: { status: 200 },
    answer: z.looseObject({ notes: z.array(note), ...pageAnswer }),
    errors: ['account_expired', 'invalid_cursor', 'not_found'],
  },
  addNote: {
    method: 'POST',
    path: '/threads/{id}/notes',
    summary: 'Add a note to a thread',
    description: 'Notes are never sent, and are erased with their thread.',
    access: 'manage',
    params: idParams,
    body: noteBody,
    success: { status: 201 },
    answer: note,
    errors: ['account_expired', 'claim_required', 'not_found'],
  },
} as const satisfies Record<string, Route>

/** Texts that operators use for replies. */
export const savedRepliesRoutes = {
  create: {
    method: 'POST',
    path: '/saved-replies',
    summary: 'Save a reply',
    description: 'One of the same name gets the new text (200). The account has at most 500.',
    access: 'manage',
    idempotent: true,
    body: savedReplyBody,
    success: { status: 201, replayStatus: 200 },
    answer: savedReply,
    withoutRead: 'all',
    errors: [...changeErrors, 'insufficient_scope', 'saved_reply_limit_reached'],
  },
  list: {
    method: 'GET',
    path: '/saved-replies',
    summary: 'List saved replies, oldest first',
    description: 'Keys of one inbox cannot read them.',
    access: 'read',
    query: z.strictObject(pageQuery),
    success: { status: 200 },
    answer: z.looseObject({ saved_replies: z.array(savedReply), ...pageAnswer }),
    errors: ['account_expired', 'insufficient_scope', 'invalid_cursor'],
  },
  delete: {
    method: 'DELETE',
    path: '/saved-replies/{id}',
    summary: 'Delete a saved reply',
    access: 'manage',
    idempotent: true,
    params: idParams,
    success: { status: 204 },
    answer: noContent,
    errors: [...changeErrors, 'insufficient_scope', 'not_found'],
  },
} as const satisfies Record<string, Route>

/** Conversations. */
export const threadsRoutes = {
  list: {
    method: 'GET',
    path: '/threads',
    summary: 'List threads, the last active first, or search them',
    description:
      'With `q` (see GET /messages), the threads of the 1,000 best messages come, best first, each once. A condition must hold for one message of the thread.\n\nWithout `q`, the pages list each thread once if it does not change while they are read. A thread that changes moves to the front: if its page was still to come, these pages lack it, and the event log has `thread.updated`. To miss none, note `to` of GET /events before the first page, and read the events after it once you have the last.\n\nA thread whose messages are all labelled `spam` or `trash` is left out, as in GET /messages. `labels` of a thread are those of its messages without `unread`, which `label=unread` finds nevertheless.',
    access: 'read',
    query: z.strictObject({
      q: searchText.optional().meta({ description: 'What to look for, as in GET /messages.' }),
      mode: searchMode.default('hybrid'),
      inbox_id: z.string().optional(),
      label: labelOfList,
      include: includeAway,
      held: flag.meta({ description: '`true`: threads that people hold. `false`: the others.' }),
      assignee: z.string().min(1).max(64).optional().meta({
        description:
          'Id of an operator or name of a consumer; `me` for the calling operator, `none` for threads of nobody. Other than `none` it needs a key with `manage` for the whole account, as others are not shown assignees.',
      }),
      status: z.enum(threadStatuses).optional(),
      waiting_for_agent: flag.meta({
        description:
          '`true`: threads whose newest message waits for an agent. It can be answered, nobody holds the thread, and no suggestion waits. `false`: the others.',
      }),
      has_suggestion: flag.meta({
        description: '`true`: threads in which a suggestion waits for people. `false`: the others.',
      }),
      ...pageQuery,
    }),
    success: { status: 200 },
    answer: z.looseObject({
      ...z.object(searchAnswer).partial().shape,
      threads: z.array(thread),
      ...pageAnswer,
    }),
    errors: ['account_expired', 'insufficient_scope', 'invalid_cursor'],
  },
  get: {
    method: 'GET',
    path: '/threads/{id}',
    summary: 'Read a thread',
    access: 'read',
    params: idParams,
    success: { status: 200 },
    answer: thread,
    errors: ['account_expired', 'not_found'],
  },
  hold: {
    method: 'POST',
    path: '/threads/{id}/hold',
    idempotent: true,
    summary: 'Hold a thread for people',
    description:
      'Consumers get none of its messages, which stay pending in order, and every send by a key is refused with `thread_held`. Operators write in it, and so do drafts that they approve. Holding a held thread replaces its reason and `until`.',
    access: 'manage',
    params: idParams,
    body: holdBody,
    success: { status: 200 },
    answer: thread,
    errors: ['account_expired', 'claim_required', 'not_found'],
  },
  release: {
    method: 'POST',
    path: '/threads/{id}/release',
    idempotent: true,
    summary: 'Release a held thread to its agents',
    description:
      'Consumers get the messages that nobody answered, with `handed_back`. A thread that nobody holds stays as it is.',
    access: 'manage',
    params: idParams,
    success: { status: 200 },
    answer: thread,
    errors: ['account_expired', 'claim_required', 'not_found'],
  },
  ...deskRoutes,
  delete: {
    method: 'DELETE',
    path: '/threads/{id}',
    idempotent: true,
    summary: 'Erase a thread with all its messages',
    description: 'A later reply to one of them begins a new thread.',
    access: 'manage',
    params: idParams,
    success: { status: 204 },
    answer: noContent,
    errors: ['account_expired', 'claim_required', 'not_found'],
  },
} as const satisfies Record<string, Route>
