import * as z from 'zod'
import { attachedMessage } from '../attachments/attached-message'
import { attachmentText, maxTokens, pageRange } from '../attachments/attachment-text'
import { attachment } from '../records/message'
import { upload } from '../records/upload'
import { maxUploadBytes } from '../records/upload-limit'
import { idParams } from './params'
import type { Route } from './route'

/** Files in messages (specification 4.7). */
export const attachmentsRoutes = {
  get: {
    method: 'GET',
    path: '/attachments/{id}',
    summary: 'Fetch an attachment',
    access: 'read',
    params: idParams,
    success: { status: 200 },
    answer: attachment,
    errors: ['account_expired', 'not_found'],
  },
  content: {
    method: 'GET',
    path: '/attachments/{id}/content',
    summary: 'Download an attachment',
    description:
      'The bytes themselves. One `Range` is honoured (206); `If-Range` takes the `ETag` of an earlier answer (RFC 9110).',
    access: 'read',
    params: idParams,
    headers: z.object({
      range: z.string().max(1_000).optional(),
      'if-range': z.string().max(200).optional(),
    }),
    success: { status: 200, partialStatus: 206 },
    answer: { contentType: 'application/octet-stream' },
    errors: ['account_expired', 'not_found', 'range_not_satisfiable'],
  },
  text: {
    method: 'GET',
    path: '/attachments/{id}/text',
    summary: 'Read the text of an attachment',
    description:
      'The text of PDF, Office, OpenDocument, EPUB, RTF, HTML, CSV and text files, of attached messages, and the list of files in an archive. These files are `attachments` with ids of their own. The first request reads the file, in a process of its own; it may take 25 seconds, and is answered with `pending` (202) after that. With `Accept: text/markdown`, a text that is ready is the body of the answer, as Markdown.',
    access: 'read',
    params: idParams,
    query: z.strictObject({
      pages: pageRange.optional(),
      max_tokens: z.coerce.number<number>().pipe(maxTokens).optional(),
    }),
    success: { status: 200, acceptedStatus: 202 },
    answer: attachmentText,
    errors: ['account_expired', 'not_found'],
  },
  message: {
    method: 'GET',
    path: '/attachments/{id}/message',
    summary: 'Open an attached message',
    description:
      'The fields, the text and the files of a forwarded message: `.eml` (`message/rfc822`), `.msg` of Outlook, and `winmail.dat`, three levels deep. Nothing proves them.',
    access: 'read',
    params: idParams,
    success: { status: 200 },
    answer: attachedMessage,
    errors: ['account_expired', 'not_found'],
  },
  encryptedText: {
    method: 'POST',
    path: '/attachments/{id}/text',
    summary: 'Read the text of an encrypted PDF',
    description: 'Neither the password nor the text is stored or logged.',
    access: 'read',
    params: idParams,
    body: z.strictObject({
      password: z.string().min(1).max(1_000),
      pages: pageRange.optional(),
      max_tokens: maxTokens.optional(),
    }),
    // It changes nothing.
    idempotent: true,
    success: { status: 200 },
    answer: attachmentText,
    errors: ['account_expired', 'not_found'],
  },
} as const satisfies Record<string, Route>

/** Files that are uploaded before their message. */
export const uploadsRoutes = {
  create: {
    method: 'POST',
    path: '/uploads',
    summary: 'Upload a file to attach',
    description:
      'The body is the file itself; its media type is the `Content-Type`. It is kept for 24 hours.',
    access: { anyOf: ['send', 'manage'] },
    query: z.strictObject({ filename: z.string().min(1).max(255).default('attachment') }),
    // A repeat stores the file a second time, for a day, and does no harm.
    idempotent: true,
    rawBody: true,
    maxBodyBytes: maxUploadBytes,
    success: { status: 201 },
    answer: upload,
    withoutRead: 'all',
    errors: ['account_expired', 'claim_required', 'storage_limit_reached'],
  },
} as const satisfies Record<string, Route>
