import * as z from 'zod'
import { noContent, pageAnswer, pageQuery } from '../records/common'
import { label, labelName } from '../records/label'
import { messageSummary } from '../records/message'
import { changeErrors, idParams } from './params'
import type { Route } from './route'

const nameBody = z.strictObject({ name: labelName })
const messageBody = z.strictObject({ message_id: z.string().min(1).max(64) })

/** Names on messages (specification 4.8), unique without regard to case. */
export const labelsRoutes = {
  create: {
    method: 'POST',
    path: '/labels',
    idempotent: true,
    summary: 'Create a label',
    description: 'The names `archived`, `spam`, `trash` and `unread` are taken: every account has these.',
    access: 'manage',
    body: nameBody,
    success: { status: 201 },
    answer: label,
    withoutRead: 'all',
    errors: [...changeErrors, 'label_exists', 'label_limit_reached'],
  },
  list: {
    method: 'GET',
    path: '/labels',
    summary: 'List labels, by their ids: those of the account are oldest first',
    description:
      'Those of the service are among them: `archived`, `spam`, `trash` and `unread`, whose ids are their names.',
    access: 'read',
    query: z.strictObject(pageQuery),
    success: { status: 200 },
    answer: z.looseObject({ labels: z.array(label), ...pageAnswer }),
    errors: ['account_expired', 'invalid_cursor'],
  },
  update: {
    method: 'PATCH',
    path: '/labels/{id}',
    summary: 'Rename a label',
    description:
      'The messages and threads that have it show the new name at once. There is one event, `label.updated`: readers put the new name into the records whose `label_ids` name the label.',
    access: 'manage',
    params: idParams,
    body: nameBody,
    success: { status: 200 },
    answer: label,
    withoutRead: 'all',
    errors: [...changeErrors, 'not_found', 'label_exists', 'system_label'],
  },
  delete: {
    method: 'DELETE',
    path: '/labels/{id}',
    summary: 'Delete a label, and take it off every message',
    access: 'manage',
    params: idParams,
    success: { status: 204 },
    answer: noContent,
    errors: [...changeErrors, 'not_found', 'system_label'],
  },
  assign: {
    method: 'POST',
    path: '/labels/{id}/assign',
    idempotent: true,
    summary: 'Put a label on a message',
    description:
      'Where the message has it already, nothing changes. What is labelled `spam` or `trash` is left out of lists, searches and threads that do not ask for it, and loops do not get it; `trash` is erased after 30 days, unless the service is set otherwise. Mail that comes in is `unread` until somebody takes that off; `archived` means something in the console only.',
    access: 'manage',
    params: idParams,
    body: messageBody,
    success: { status: 200 },
    answer: messageSummary,
    withoutRead: ['id', 'seq'],
    errors: [...changeErrors, 'not_found'],
  },
  unassign: {
    method: 'POST',
    path: '/labels/{id}/unassign',
    idempotent: true,
    summary: 'Take a label off a message',
    description:
      'Where the message does not have it, nothing changes. Without the labels `spam` and `trash`, a message is listed and found like any other, and loops that did not handle it get it.',
    access: 'manage',
    params: idParams,
    body: messageBody,
    success: { status: 200 },
    answer: messageSummary,
    withoutRead: ['id', 'seq'],
    errors: [...changeErrors, 'not_found'],
  },
} as const satisfies Record<string, Route>
