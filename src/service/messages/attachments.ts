import type { Attachment } from '../../protocol/records/message'
import { requireReader } from '../accounts/account'
import type { Caller } from '../accounts/keys'
import { notFound, refuse } from '../base/refuse'
import type { FileHints, FileWithin } from '../ports'
import { messageRow } from './messages'
import { readOriginal } from './originals'
import type { ExtractionPorts, MessagePorts } from './ports'
import type { AttachmentRow } from './records'
import { textRemedies } from './text-remedies'

/** File in a message, with its bytes. */
export interface AttachmentFile {
  row: AttachmentRow
  content: Uint8Array
}

/** File that cannot be taken out of the file that has it, and why. */
interface WithheldFile {
  row: AttachmentRow
  withheld: Exclude<FileWithin['status'], 'ready'>
}

/** Returns what tells a process about a file. */
export const hintsOf = ({ filename, content_type }: AttachmentRow): FileHints => ({
  filename,
  contentType: content_type,
})

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
  ports: ExtractionPorts,
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

const unreadable = ({ id, message_id }: AttachmentRow) =>
  refuse(
    'internal_error',
    `The attachment ${id} can no longer be read: GET /messages/${message_id}/raw has the original.`,
  )

/**
 * Reads the file of an attachment from the original, or from the attached message or archive that has it.
 *
 * @throws ServiceError if it has no such file
 */
export async function findFile(
  ports: ExtractionPorts,
  row: AttachmentRow,
): Promise<AttachmentFile | WithheldFile> {
  const [top, ...inner] = [row, ...(await parentsOf(ports, row))].reverse()
  const raw = await readOriginal(ports, row.tenant_id, row.message_id)
  const [first] = await ports.parser.attachments(raw, [top!.position])
  // An attachment that an earlier version listed may have another position.
  if (!first || first.contentType !== top!.content_type) throw unreadable(row)
  let { content } = first
  let parent = top!
  for (const one of inner) {
    const found = await ports.extractor.fileWithin(content, hintsOf(parent), one.position)
    if (found.status !== 'ready') return { row, withheld: found.status }
    if (found.contentType !== one.content_type) throw unreadable(row)
    content = found.content
    parent = one
  }
  return { row, content }
}

/** As `findFile`. @throws ServiceError `not_found` also for a file that cannot be taken out */
export async function fileOf(ports: ExtractionPorts, row: AttachmentRow): Promise<AttachmentFile> {
  const found = await findFile(ports, row)
  if ('content' in found) return found
  throw refuse(
    'not_found',
    `The attachment ${row.id} cannot be taken out of ${row.parent_id}. ${textRemedies[found.withheld]}`,
  )
}

/** Returns an attachment as JSON (specification 2.11). @throws ServiceError `not_found`, `account_expired` */
export async function readAttachment(ports: ExtractionPorts, scope: Caller, id: string): Promise<Attachment> {
  const { row, content } = await readAttachmentFile(ports, scope, id)
  const content_base64 = Buffer.from(content).toString('base64')
  return { filename: row.filename, content_type: row.content_type, content_base64 }
}
