import type { Attachment } from '../../protocol/records'
import { type Caller, requireReader } from '../accounts'
import { notFound, refuse } from '../base'
import { messageRow } from './messages'
import { readOriginal } from './originals'
import type { MessagePorts } from './ports'
import type { AttachmentRow } from './records'

/** File in a message, with its bytes. */
interface AttachmentFile {
  row: AttachmentRow
  content: Uint8Array
}

/** Reads an attachment from the original. @throws ServiceError `not_found`, `account_expired` */
export async function readAttachmentFile(
  ports: MessagePorts,
  scope: Caller,
  id: string,
): Promise<AttachmentFile> {
  requireReader(ports, scope)
  const row = await ports.store.db
    .selectFrom('attachments')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('attachment', id)
  const message = await messageRow(ports, scope, row.message_id).catch(() => {
    throw notFound('attachment', id)
  })
  const raw = await readOriginal(ports, scope.tenantId, message.id)
  const [found] = await ports.parser.attachments(raw, [row.position])
  // An attachment that an earlier version listed may have another position.
  if (!found || found.contentType !== row.content_type)
    throw refuse(
      'internal_error',
      `The attachment ${id} can no longer be read: GET /messages/${message.id}/raw has the original.`,
    )
  return { row, content: found.content }
}

/** Returns an attachment as JSON (specification 2.11). @throws ServiceError `not_found`, `account_expired` */
export async function readAttachment(ports: MessagePorts, scope: Caller, id: string): Promise<Attachment> {
  const { row, content } = await readAttachmentFile(ports, scope, id)
  const content_base64 = Buffer.from(content).toString('base64')
  return { filename: row.filename, content_type: row.content_type, content_base64 }
}
