import * as z from 'zod'
import { account } from '../records/account'
import { noContent, pageAnswer, pageQuery } from '../records/common'
import {
  accountOperator,
  apiKey,
  apiKeyBody,
  claimAnswer,
  claimBody,
  claimPreview,
  newApiKey,
  talkAnswer,
  talkBody,
} from '../records/console'
import { presenceBody, present } from '../records/desk/presence'
import {
  approvalBody,
  draft,
  rejectionBody,
  unsentDraft,
  waitingDraft,
  waitingDraftWithContent,
} from '../records/draft'
import { sendResult } from '../records/message'
import { checkErrors } from './params'
import type { Route } from './route'

const claimErrors = [
  'claim_link_unknown',
  'claim_link_used',
  'claim_link_expired',
  'account_expired',
  'account_not_found',
] as const
const accountParams = z.strictObject({ account_id: z.string().min(1).max(64) })
const draftParams = accountParams.extend({ draft_id: z.string().min(1).max(64) })

/** Operations of a signed-in human at the console. An operator reaches the accounts that they claimed. */
export const consoleRoutes = {
  preview: {
    method: 'POST',
    path: '/console/claim/preview',
    summary: 'See what a claim link leads to',
    access: 'operator',
    body: claimBody,
    success: { status: 200 },
    answer: claimPreview,
    errors: claimErrors,
  },
  claim: {
    method: 'POST',
    path: '/console/claim',
    summary: 'Claim an account',
    description:
      'The account becomes the operator’s: its onboarding limits end and it may send at once. The address of the operator must be verified. Repeating it returns the same answer.',
    access: 'operator',
    body: claimBody,
    success: { status: 200 },
    answer: claimAnswer,
    errors: ['operator_unverified', ...claimErrors],
  },
  accounts: {
    method: 'GET',
    path: '/console/accounts',
    summary: 'List the accounts of the operator, oldest first',
    access: 'operator',
    query: z.strictObject(pageQuery),
    success: { status: 200 },
    answer: z.looseObject({ accounts: z.array(account), ...pageAnswer }),
    errors: ['invalid_cursor'],
  },
  operators: {
    method: 'GET',
    path: '/console/accounts/{account_id}/operators',
    summary: 'List the operators of an account',
    access: 'operator',
    params: accountParams,
    success: { status: 200 },
    answer: z.looseObject({ operators: z.array(accountOperator) }),
    errors: ['not_found'],
  },
  keys: {
    method: 'GET',
    path: '/console/accounts/{account_id}/keys',
    summary: 'List the API keys of an account, oldest first',
    access: 'operator',
    params: accountParams,
    query: z.strictObject(pageQuery),
    success: { status: 200 },
    answer: z.looseObject({ keys: z.array(apiKey), ...pageAnswer }),
    answersSecret: true,
    errors: ['not_found', 'invalid_cursor'],
  },
  createKey: {
    method: 'POST',
    path: '/console/accounts/{account_id}/keys',
    summary: 'Create an API key',
    description: 'The answer has the key, this once.',
    access: 'operator',
    params: accountParams,
    body: apiKeyBody,
    success: { status: 201 },
    answer: newApiKey,
    answersSecret: true,
    errors: ['not_found', 'account_not_found', 'key_limit_reached'],
  },
  revokeKey: {
    method: 'DELETE',
    path: '/console/accounts/{account_id}/keys/{key_id}',
    summary: 'Revoke an API key',
    description: 'Requests with it are refused from now on, and its open sockets are closed within a second.',
    access: 'operator',
    params: accountParams.extend({ key_id: z.string().min(1).max(64) }),
    success: { status: 204 },
    answer: noContent,
    errors: ['not_found', 'account_not_found'],
  },
  drafts: {
    method: 'GET',
    path: '/console/accounts/{account_id}/drafts',
    summary: 'List the drafts of an account that wait for approval, oldest first',
    access: 'operator',
    params: accountParams,
    query: z.strictObject(pageQuery),
    success: { status: 200 },
    answer: z.looseObject({ drafts: z.array(waitingDraft), ...pageAnswer }),
    errors: ['not_found', 'invalid_cursor'],
  },
  draft: {
    method: 'GET',
    path: '/console/accounts/{account_id}/drafts/{draft_id}',
    summary: 'Read a draft with all that it says, to decide on it',
    access: 'operator',
    params: draftParams,
    success: { status: 200 },
    answer: waitingDraftWithContent,
    errors: ['not_found'],
  },
  draftFile: {
    method: 'GET',
    path: '/console/accounts/{account_id}/drafts/{draft_id}/file',
    summary: 'Download a file of a draft, to decide on it',
    access: 'operator',
    params: draftParams,
    query: z.strictObject({
      position: z.coerce.number<number>().int().min(0).max(10_000).default(0).meta({
        description: 'Its place among `attachments` of the draft, the first being 0.',
      }),
    }),
    success: { status: 200 },
    answer: { contentType: 'application/octet-stream' },
    errors: ['not_found'],
  },
  approve: {
    method: 'POST',
    path: '/console/accounts/{account_id}/drafts/{draft_id}/approve',
    summary: 'Approve a draft',
    description:
      'Sends the draft exactly as it was shown: now, or at its time if that is still to come (202). A draft that changed since then is refused and no longer waits. A draft that cannot be sent keeps waiting.',
    access: 'operator',
    params: draftParams,
    body: approvalBody,
    success: { status: 200, acceptedStatus: 202 },
    answer: z.union([sendResult, unsentDraft]),
    errors: [
      'not_found',
      'account_not_found',
      ...checkErrors,
      'draft_changed',
      'draft_incomplete',
      'draft_sent',
      'message_too_large',
      'account_expired',
      'claim_required',
      'domain_not_verified',
      'thread_moved',
    ],
  },
  presence: {
    method: 'POST',
    path: '/console/accounts/{account_id}/threads/{thread_id}/presence',
    idempotent: true,
    summary: 'Report that the operator reads or writes in a thread',
    description:
      'The answer has the other operators who do. A report of a handed-over thread counts as opening it.',
    access: 'operator',
    params: accountParams.extend({ thread_id: z.string().min(1).max(64) }),
    body: presenceBody,
    success: { status: 200 },
    answer: z.looseObject({ present: z.array(present) }),
    errors: ['not_found', 'account_not_found'],
  },
  picture: {
    method: 'GET',
    path: '/console/accounts/{account_id}/messages/{message_id}/picture',
    summary: 'Fetch a picture that the HTML of a message shows from outside',
    description:
      'The service fetches it instead of the browser, from public addresses only. The picture’s server learns that the message was opened, and nothing about the reader. PNG, JPEG, GIF and WebP of at most 5 MB.',
    access: 'operator',
    params: accountParams.extend({ message_id: z.string().min(1).max(64) }),
    query: z.strictObject({
      url: z
        .string()
        .min(1)
        .max(8_000)
        .meta({ description: 'As `src` or `background` in the HTML of the message has it.' }),
    }),
    success: { status: 200 },
    answer: { contentType: 'image/*' },
    errors: ['not_found', 'picture_unavailable'],
  },
  talk: {
    method: 'POST',
    path: '/console/accounts/{account_id}/talk',
    summary: 'Write to an inbox as anybody, to try its agent',
    description:
      'The mail comes in by SMTP as any other. Only where mail is captured (`restante dev`, `delivery: capture`): nobody outside can be played at a service that delivers.',
    access: 'operator',
    params: accountParams,
    body: talkBody,
    success: { status: 201 },
    answer: talkAnswer,
    errors: [
      'not_found',
      'account_not_found',
      'account_expired',
      'claim_required',
      'capture_required',
      'mail_refused',
    ],
  },
  reject: {
    method: 'POST',
    path: '/console/accounts/{account_id}/drafts/{draft_id}/reject',
    summary: 'Reject a draft',
    description: 'The draft is not sent. The agent reads the reason, and may change the draft and ask again.',
    access: 'operator',
    params: draftParams,
    body: rejectionBody,
    success: { status: 200 },
    answer: draft,
    errors: ['not_found', 'account_not_found', 'draft_changed'],
  },
} as const satisfies Record<string, Route>
