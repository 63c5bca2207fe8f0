import * as z from 'zod'
import { pageAnswer, pageQuery } from '../../records/common'
import { assignBody, snoozeBody } from '../../records/desk/assignment'
import { note, noteBody } from '../../records/desk/note'
import { thread } from '../../records/thread'
import { idParams } from '../params'
import type { Route } from '../route'

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
export const deskRoutes = {
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
    summary: 'List the notes on a thread, oldest first',
    description: 'A key without the scope `manage` gets only those for the agent.',
    access: 'read',
    params: idParams,
    query: z.strictObject(pageQuery),
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
