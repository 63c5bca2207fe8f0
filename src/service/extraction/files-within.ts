import type { Kysely } from 'kysely'
import type { ParsedAttachment } from '../../mail/mime/attachment'
import { notFound } from '../base/refuse'
import { changeAccount } from '../log/change'
import { attachmentRows } from '../messages/add-message'
import { parentsOf } from '../messages/attachments'
import type { MessagePorts } from '../messages/ports'
import type { AttachmentRow } from '../messages/records'
import type { Database } from '../store/tables/schema'

/** Levels of files within files that are attachments. */
export const maxLevels = 3
/** Files within the files of one message. */
const maxWithin = 2_000

const ofMessage = (db: Kysely<Database>, row: AttachmentRow) =>
  db.selectFrom('attachments').where('tenant_id', '=', row.tenant_id).where('message_id', '=', row.message_id)

const storedWithin = (db: Kysely<Database>, row: AttachmentRow): Promise<AttachmentRow[]> =>
  ofMessage(db, row).selectAll().where('parent_id', '=', row.id).orderBy('position').execute()

/** Returns how many files within files a message may still have. */
async function roomIn(db: Kysely<Database>, row: AttachmentRow): Promise<number> {
  const { count } = await ofMessage(db, row)
    .select(({ fn }) => fn.countAll().as('count'))
    .where('parent_id', 'is not', null)
    .executeTakeFirstOrThrow()
  return Math.max(0, maxWithin - Number(count))
}

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
  // A read takes no lock of the account.
  const found = await storedWithin(ports.store.db, row)
  if (found.length > 0 || (await roomIn(ports.store.db, row)) === 0) return found
  return changeAccount(ports, row.tenant_id, async ({ tx, now }) => {
    const stored = await storedWithin(tx, row)
    if (stored.length > 0) return stored
    // Its message may be erased meanwhile.
    if (!(await ofMessage(tx, row).select('id').where('id', '=', row.id).executeTakeFirst()))
      throw notFound('attachment', row.id)
    const message = { tenant_id: row.tenant_id, id: row.message_id }
    const attachments = listed.slice(0, await roomIn(tx, row))
    const rows = attachmentRows(message, { attachments }, Date.parse(now), row.id)
    if (rows.length > 0) await tx.insertInto('attachments').values(rows).execute()
    return rows
  })
}
