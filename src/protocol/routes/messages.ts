import * as z from 'zod'
import { dayOrTimeInput, noContent, pageAnswer, pageQuery, seq } from '../records/common'
import { unsentDraft } from '../records/draft'
import { invitationAnswer } from '../records/invitation'
import {
  believedReport,
  forwardBody,
  listedMessage,
  message,
  replyBody,
  sendBody,
  sendResult,
} from '../records/message'
import { handOverBody, thread } from '../records/thread'
import {
  checkErrors,
  idParams,
  includeAway,
  labelOfList,
  maxMailBodyBytes,
  searchAnswer,
  searchMode,
  searchText,
} from './params'
import type { Route } from './route'

/** A position in the event log, in a query. */
const position = z.coerce.number<number>().pipe(seq).optional()
/** Words to search for in one field of a message. */
const part = z.string().min(1).max(320)
const sendErrors = [
  'account_expired',
  'claim_required',
  'client_id_conflict',
  'domain_not_verified',
  'message_too_large',
  'no_recipients',
  'not_found',
  'thread_held',
  ...checkErrors,
] as const

const scheduledDescription =
  'With `scheduled_at` it becomes a draft, which is answered with status 202 and sends itself then: change or delete the draft to change or cancel it.'

/** Reading and sending messages (specification 4.4 to 4.6). */
export const messagesRoutes = {
  list: {
    method: 'GET',
    path: '/messages',
    summary: 'Search messages, or list them, newest first',
    description:
      'With `q`, the best matches come first; without it, the newest. Filters narrow the result. A message can be found as soon as it is received. Messages labelled `spam` or `trash` are left out, unless `include` names the label or the query asks for it (`label=trash`, `in:spam`).\n\nNo word of `q` is required by itself. A message ranks higher the more of the words it has, the rarer they are, and if they are in its subject. `"words in quotes"` must stand together. `+word` must occur, `-word` must not. `one OR other` requires one of both. `invoic*` is the beginning of a word. English words are found in all their forms; case and accents do not matter.\n\nOptions, numbers and paths, such as `-t`, `--all` or `-no-split`, are words; `-"no-split"` excludes one. In a text of more than twelve words, `-` excludes only before quotes and operators. Quotes alone require nothing there, and an operator needs its value directly behind it.\n\nOperators require a match, and `-` before one excludes it:\n\n- `from:`, `to:`: an address, a domain with its subdomains, words of a name, or `me`\n- `subject:`, `filename:`, `label:`, `rfc822msgid:`\n- `in:spam`, `in:trash`, `in:archive`, `in:sent`, `in:anywhere`\n- `is:unanswered`, `is:unread`, `is:spam`, `has:attachment`\n- `before:2026-01-31`, `after:2026-01-31`\n- `newer_than:7d`, `older_than:1y` (`h`, `d`, `w`, `m`, `y`)\n\nOnly the length of `q` can be an error. What cannot be read as an operator counts as words, and `warnings` says so. Of more than 64 words, the rarest count.\n\n`mode_used` says how the service searched.',
    access: 'read',
    query: z.strictObject({
      q: searchText.optional().meta({
        description: 'What to look for: at most 2,000 characters. An empty one is no search.',
      }),
      mode: searchMode.default('hybrid').meta({
        description: 'How to search: for words, for meaning, or for both.',
      }),
      highlight: z
        .enum(['true', 'false'])
        .default('false')
        .transform((text) => text === 'true')
        .meta({ description: 'Whether messages that were found have their `highlights`.' }),
      inbox_id: z.string().optional(),
      thread_id: z.string().optional(),
      direction: z.enum(['inbound', 'outbound']).optional(),
      from: part.optional().meta({
        description:
          'Sender: an address (`ana@example.com`) means exactly that one; a domain (`example.com`) itself and those below it; anything else words of the name or the address, as in `q`.',
      }),
      to: part.optional().meta({ description: 'Recipient, in To, Cc or Bcc: as in `from`.' }),
      subject: part
        .optional()
        .meta({ description: 'Words of the subject, as in `q`: whole ones, `invoic*` for a beginning.' }),
      label: labelOfList,
      include: includeAway,
      without: labelOfList.meta({ description: 'Name or id of a label that they do not have.' }),
      has_attachment: z
        .enum(['true', 'false'])
        .transform((text) => text === 'true')
        .optional(),
      after: dayOrTimeInput
        .optional()
        .meta({ description: 'Created at or after this time, or the beginning of this day in UTC.' }),
      before: dayOrTimeInput
        .optional()
        .meta({ description: 'Created before this time, or before this day in UTC.' }),
      after_seq: position.meta({
        description:
          'Created after this position of the event log, by `created_seq`, also where the log itself no longer reaches back so far.',
      }),
      to_seq: position.meta({ description: 'Created at this position of the event log or before it.' }),
      order: z.enum(['relevance', 'desc', 'asc']).optional().meta({
        description:
          '`relevance` (the best first, the newer among equals) with `q`, `desc` (the newest first) without. With `q`, `desc` and `asc` demand every word.',
      }),
      body: z
        .enum(['true', 'false'])
        .default('true')
        .transform((text) => text === 'true')
        .meta({ description: 'Whether the messages have their `body_text`: a page is smaller without.' }),
      ...pageQuery,
    }),
    success: { status: 200 },
    answer: z.looseObject({
      ...searchAnswer,
      messages: z.array(listedMessage),
      ...pageAnswer,
    }),
    errors: ['account_expired', 'invalid_cursor'],
  },
  get: {
    method: 'GET',
    path: '/messages/{id}',
    summary: 'Read a message',
    access: 'read',
    params: idParams,
    success: { status: 200 },
    answer: message,
    errors: ['account_expired', 'not_found'],
  },
  raw: {
    method: 'GET',
    path: '/messages/{id}/raw',
    summary: 'The original, byte for byte',
    access: 'read',
    params: idParams,
    success: { status: 200 },
    answer: { contentType: 'message/rfc822' },
    errors: ['account_expired', 'not_found'],
  },
  delete: {
    method: 'DELETE',
    path: '/messages/{id}',
    idempotent: true,
    summary: 'Erase a message',
    description:
      'Bodies, original, attachments and what the event log says of them. One that waits to be sent is not sent.',
    access: 'manage',
    params: idParams,
    success: { status: 204 },
    answer: noContent,
    errors: ['account_expired', 'claim_required', 'not_found'],
  },
  send: {
    method: 'POST',
    path: '/messages',
    summary: 'Send a mail',
    description: scheduledDescription,
    access: 'send',
    body: sendBody,
    maxBodyBytes: maxMailBodyBytes,
    success: { status: 200, acceptedStatus: 202 },
    answer: z.union([sendResult, unsentDraft]),
    withoutRead: 'all',
    errors: [...sendErrors, 'message_empty'],
  },
  reply: {
    method: 'POST',
    path: '/messages/{id}/reply',
    summary: 'Reply in thread',
    description: scheduledDescription,
    access: 'send',
    params: idParams,
    body: replyBody,
    maxBodyBytes: maxMailBodyBytes,
    success: { status: 200, acceptedStatus: 202 },
    answer: z.union([sendResult, unsentDraft]),
    withoutRead: 'all',
    errors: [...sendErrors, 'message_empty', 'thread_moved', 'automatic_mail'],
  },
  forward: {
    method: 'POST',
    path: '/messages/{id}/forward',
    summary: 'Pass a message on, with its attachments',
    description: `The mail begins a thread of its own. ${scheduledDescription}`,
    access: { allOf: ['read', 'send'] },
    params: idParams,
    body: forwardBody,
    maxBodyBytes: maxMailBodyBytes,
    success: { status: 200, acceptedStatus: 202 },
    answer: z.union([sendResult, unsentDraft]),
    errors: sendErrors,
  },
  handOver: {
    method: 'POST',
    path: '/messages/{id}/hand-over',
    summary: 'Hand the thread of a message over to people',
    description:
      'Holds the thread, and ends the lease of the message without an attempt. After the release, a consumer gets the message again unless somebody answered it. A thread that is held already stays as it is. One that no operator opens in time raises `thread.unattended`. The answer has `prepared_message_id` beside the fields of the thread: the message with the prepared text, or null if none was sent.',
    // It changes what agents do, as a redrive does.
    access: { anyOf: ['send', 'manage'] },
    params: idParams,
    body: handOverBody,
    success: { status: 200 },
    answer: thread,
    errors: ['account_expired', 'claim_required', 'not_found'],
  },
  answerInvitation: {
    method: 'POST',
    path: '/messages/{id}/invitation/answer',
    summary: 'Answer an invitation',
    description:
      'Sends the answer to the organizer, in the thread, in the form that calendars process (RFC 5546, RFC 6047). The organizer must be the proven sender; else the answer goes to the sender. The same answer to the same version of the event is sent once. A pending change and a cancelled event cannot be answered.',
    access: 'send',
    params: idParams,
    body: invitationAnswer,
    // The service recognises the same answer.
    idempotent: true,
    success: { status: 200, acceptedStatus: 202 },
    answer: z.union([sendResult, unsentDraft]),
    withoutRead: 'all',
    errors: [...sendErrors, 'automatic_mail', 'no_invitation'],
  },
  believeReport: {
    method: 'POST',
    path: '/messages/{id}/believe-report',
    idempotent: true,
    summary: 'Believe a bounce or a complaint',
    description:
      'A report that nothing proves (`report.believed` is false) changes nothing, since anybody who saw a message can write one. This call makes it count, as if it had come to the signed return path. The message that it is about is marked, and addresses that do not exist or complained are suppressed. A second call changes nothing.',
    access: 'manage',
    params: idParams,
    success: { status: 200 },
    answer: believedReport,
    withoutRead: ['id', 'believed'],
    errors: ['account_expired', 'claim_required', 'not_found', 'not_a_report'],
  },
} as const satisfies Record<string, Route>
