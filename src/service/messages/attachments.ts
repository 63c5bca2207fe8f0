import type { Attachment } from '../../protocol/records/message'
import { requireReader } from '../accounts/account'
import type { Caller } from '../accounts/keys'
import { notFound, refuse } from '../base/refuse'
import { messageRow } from './messages'
import { readOriginal } from './originals'
import type { MessagePorts } from './ports'
import type { AttachmentRow } from './records'

/** File in a message, with its bytes. */
export interface AttachmentFile {
  row: AttachmentRow
  content: Uint8Array
}

/** Returns the row of an attachment that the key reaches. @throws ServiceError `not_found`, `account_expired` */
export async function attachmentRow(ports: MessagePorts, scope: Caller, id: string): Promise<AttachmentRow> {
  requireReader(ports, scope)
  const row = await ports.store.db
    .selectFrom('attachments')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('attachment', id)
  await messageRow(ports, scope, row.message_id).catch(() => {
    throw notFound('attachment', id)
  })
  return row
}

/** Reads an attachment from the original. @throws ServiceError `not_found`, `account_expired` */
export const readAttachmentFile = async (
  ports: MessagePorts,
  scope: Caller,
  id: string,
): Promise<AttachmentFile> => fileOf(ports, await attachmentRow(ports, scope, id))

/** Returns the attachments that have a file in them, the nearest first. */
export async function parentsOf(ports: MessagePorts, row: AttachmentRow): Promise<AttachmentRow[]> {
  const parents: AttachmentRow[] = []
  for (let id = row.parent_id; id !== null; id = parents.at(-1)!.parent_id) {
    const parent = await ports.store.db
      .selectFrom('attachments')
      .selectAll()
      .where('tenant_id', '=', row.tenant_id)
      .where('id', '=', id)
      .executeTakeFirst()
    // It was erased meanwhile, with all that is in it.
    if (!parent) throw notFound('attachment', row.id)
    parents.push(parent)
  }
  return parents
}

/**
 * Reads the file of an attachment from the original, or from the attached message that has it.
 *
 * @throws ServiceError if it has no such file
 */
export async function fileOf(ports: MessagePorts, row: AttachmentRow): Promise<AttachmentFile> {
  let content = await readOriginal(ports, row.tenant_id, row.message_id)
  for (const one of [row, ...(await parentsOf(ports, row))].reverse()) {
    const [found] = await ports.parser.attachments(content, [one.position])
    // An attachment that an earlier version listed may have another position.
    if (!found || found.contentType !== one.content_type)
      throw refuse(
        'internal_error',
        `The attachment ${row.id} can no longer be read: GET /messages/${row.message_id}/raw has the original.`,
      )
    content = found.content
  }
  return { row, content }
}

/** Returns an attachment as JSON (specification 2.11). @throws ServiceError `not_found`, `account_expired` */
export async function readAttachment(ports: MessagePorts, scope: Caller, id: string): Promise<Attachment> {
  const { row, content } = await readAttachmentFile(ports, scope, id)
  const content_base64 = Buffer.from(content).toString('base64')
  return { filename: row.filename, content_type: row.content_type, content_base64 }
}
