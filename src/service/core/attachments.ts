import type { Attachment } from '../../protocol/message'
import { requireReader } from './account'
import type { Core } from './context'
import type { Caller } from './keys'
import { messageRow } from './messages'
import { readOriginal } from './originals'
import type { AttachmentRow } from './records'
import { notFound, refuse } from './refuse'

/** A file in a message, with its bytes. */
export interface AttachmentFile {
  row: AttachmentRow
  content: Uint8Array
}

/** An attachment, read out of the original. @throws ServiceError `not_found`, `account_expired` */
export async function readAttachmentFile(core: Core, scope: Caller, id: string): Promise<AttachmentFile> {
  requireReader(core, scope)
  const row = await core.store.db
    .selectFrom('attachments')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('attachment', id)
  const message = await messageRow(core, scope, row.message_id).catch(() => {
    throw notFound('attachment', id)
  })
  const raw = await readOriginal(core, scope.tenantId, message.id)
  const [found] = await core.parser.attachments(raw, [row.position])
  // What an earlier version listed may stand elsewhere.
  if (!found || found.contentType !== row.content_type)
    throw refuse(
      'internal_error',
      `The attachment ${id} can no longer be read: GET /messages/${message.id}/raw has the original.`,
    )
  return { row, content: found.content }
}

/** An attachment as JSON (specification 2.11). @throws ServiceError `not_found`, `account_expired` */
export async function readAttachment(core: Core, scope: Caller, id: string): Promise<Attachment> {
  const { row, content } = await readAttachmentFile(core, scope, id)
  const content_base64 = Buffer.from(content).toString('base64')
  return { filename: row.filename, content_type: row.content_type, content_base64 }
}
