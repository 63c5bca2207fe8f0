import * as z from 'zod'
import { noContent, pageAnswer, pageQuery } from '../records/common'
import {
  draft,
  draftBody,
  draftChanges,
  draftDeleteQuery,
  draftSendBody,
  draftStatuses,
  draftWithContent,
  unsentDraft,
} from '../records/draft'
import { sendResult } from '../records/message'
import { checkErrors, idParams, maxMailBodyBytes } from './params'
import type { Route } from './route'

const changeErrors = ['account_expired', 'claim_required', 'not_found'] as const
const contentErrors = [
  ...changeErrors,
  'message_too_large',
  'no_recipients',
  'storage_limit_reached',
] as const
/**
 * Scopes that write drafts: a key that may not send can still write a draft for approval. A key that may not
 * read reaches only its own drafts, while nobody else has changed them.
 */
const writers = { anyOf: ['send', 'manage'] } as const

/** Messages that are not sent yet (specification 4.3). */
export const draftsRoutes = {
  create: {
    method: 'POST',
    path: '/drafts',
    summary: 'Create a draft',
    description:
      'With `scheduled_at` it sends itself then; where the key lacks the scope `send`, an operator is asked first, once the draft has recipients and content. Under a `client_id` it is written once.',
    access: writers,
    body: draftBody,
    maxBodyBytes: maxMailBodyBytes,
    success: { status: 201 },
    answer: draft,
    withoutRead: 'all',
    errors: [...contentErrors, 'client_id_conflict', 'automatic_mail'],
  },
  list: {
    method: 'GET',
    path: '/drafts',
    summary: 'List drafts, newest first',
    access: 'read',
    query: z.strictObject({
      inbox_id: z.string().optional(),
      status: z.enum(draftStatuses).optional(),
      thread_id: z.string().min(1).max(64).optional().meta({
        description: 'Only drafts in this thread, and suggestions that forward one of its messages.',
      }),
      suggestion: z
        .enum(['true', 'false'])
        .transform((text) => text === 'true')
        .optional()
        .meta({ description: 'Only suggestions of agents, or only other drafts.' }),
      ...pageQuery,
    }),
    success: { status: 200 },
    answer: z.looseObject({ drafts: z.array(draft), ...pageAnswer }),
    errors: ['account_expired', 'invalid_cursor'],
  },
  get: {
    method: 'GET',
    path: '/drafts/{id}',
    summary: 'Read a draft',
    access: 'read',
    params: idParams,
    query: z.strictObject({ include: z.enum(['content']).optional() }),
    success: { status: 200 },
    answer: draftWithContent,
    errors: ['account_expired', 'not_found'],
  },
  update: {
    method: 'PATCH',
    path: '/drafts/{id}',
    summary: 'Change a draft',
    description:
      'What waited for approval, was rejected or has failed is a draft again. `scheduled_at: null` takes the time away. What is told of how a `draft` came to be, and nothing else, leaves its `seq` as it is.',
    access: writers,
    params: idParams,
    body: draftChanges,
    maxBodyBytes: maxMailBodyBytes,
    success: { status: 200 },
    answer: draft,
    withoutRead: 'all',
    errors: [...contentErrors, 'draft_sent', 'draft_changed', 'automatic_mail'],
  },
  delete: {
    method: 'DELETE',
    path: '/drafts/{id}',
    idempotent: true,
    summary: 'Delete a draft',
    description: 'One that was scheduled is not sent; the message that one became stays.',
    access: writers,
    params: idParams,
    query: draftDeleteQuery,
    success: { status: 204 },
    answer: noContent,
    errors: [...changeErrors, 'draft_changed'],
  },
  send: {
    method: 'POST',
    path: '/drafts/{id}/send',
    summary: 'Send a draft',
    description:
      'A draft is sent once: doing it again answers the first result. A key without the scope `send` asks an operator for approval and gets the draft, `pending_approval`, with status 202, and words that say what happens next; asking again changes nothing: one that is approved, or was scheduled, is answered as it is, `scheduled`. No key approves.',
    access: writers,
    params: idParams,
    body: draftSendBody,
    success: { status: 200, acceptedStatus: 202 },
    answer: z.union([sendResult, unsentDraft]),
    withoutRead: 'all',
    errors: [
      ...contentErrors,
      ...checkErrors,
      'client_id_conflict',
      'automatic_mail',
      'domain_not_verified',
      'draft_incomplete',
      'draft_sent',
      'draft_changed',
      'draft_rejected',
      'approval_pending',
      'thread_held',
      'thread_moved',
    ],
  },
} as const satisfies Record<string, Route>
