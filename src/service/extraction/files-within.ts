import type { ParsedAttachment } from '../../mail/mime/attachment'
import { notFound } from '../base/refuse'
import { changeAccount } from '../log/change'
import { attachmentRows } from '../messages/add-message'
import { parentsOf } from '../messages/attachments'
import type { MessagePorts } from '../messages/ports'
import type { AttachmentRow } from '../messages/records'

/** Levels of files within files that are attachments. */
export const maxLevels = 3
/** Files within the files of one message. */
const maxWithin = 2_000

/**
 * Returns the rows of the files in an archive or an attached message. The first call stores them; below three
 * levels there are none.
 */
export async function filesWithin(
  ports: MessagePorts,
  row: AttachmentRow,
  listed: readonly ParsedAttachment[],
): Promise<AttachmentRow[]> {
  if (listed.length === 0 || (await parentsOf(ports, row)).length >= maxLevels) return []
  return changeAccount(ports, row.tenant_id, async ({ tx, now }) => {
    const within = tx
      .selectFrom('attachments')
      .where('tenant_id', '=', row.tenant_id)
      .where('message_id', '=', row.message_id)
    const stored = await within.selectAll().where('parent_id', '=', row.id).orderBy('position').execute()
    if (stored.length > 0) return stored
    // Its message may be erased meanwhile.
    if (!(await within.select('id').where('id', '=', row.id).executeTakeFirst()))
      throw notFound('attachment', row.id)
    const { count } = await within
      .select(({ fn }) => fn.countAll().as('count'))
      .where('parent_id', 'is not', null)
      .executeTakeFirstOrThrow()
    const message = { tenant_id: row.tenant_id, id: row.message_id }
    const attachments = listed.slice(0, Math.max(0, maxWithin - Number(count)))
    const rows = attachmentRows(message, { attachments: [...attachments] }, Date.parse(now), row.id)
    if (rows.length > 0) await tx.insertInto('attachments').values(rows).execute()
    return rows
  })
}
