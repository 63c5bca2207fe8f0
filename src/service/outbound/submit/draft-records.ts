import type { Kysely, Selectable } from 'kysely'
import type { CustomHeaders } from '../../../protocol/records/custom-headers'
import type { Draft, DraftWithContent } from '../../../protocol/records/draft'
import type { Scope } from '../../accounts/keys'
import { notFound } from '../../base/refuse'
import { hasInbox } from '../../inboxes/inboxes'
import type { Database } from '../../store/tables/schema'
import type { DraftFileTable, DraftTable } from '../../store/tables/send-tables'

export type DraftRow = Selectable<DraftTable>
type DraftFileRow = Selectable<DraftFileTable>

/** Returns a draft for lists and events (specification 2.7). */
export const draftRecord = (row: DraftRow): Draft => ({
  id: row.id,
  inbox_id: row.inbox_id,
  subject: row.subject,
  status: row.status,
  scheduled_at: row.scheduled_at,
  thread_id: row.thread_id,
  sent_message_id: row.sent_message_id,
  error: row.error === null ? null : JSON.parse(row.error),
  ...(row.suggested === 1 && { suggestion: true }),
  created_at: row.created_at,
  updated_at: row.updated_at,
  seq: row.seq,
})

/** Returns header fields by name. */
export const headersOf = ({ headers }: Pick<DraftRow, 'headers'>): CustomHeaders =>
  Object.fromEntries(JSON.parse(headers))

/** Returns a draft with its content. */
export const draftWithContentRecord = (
  row: DraftRow,
  files: Omit<DraftFileRow, 'raw'>[],
): DraftWithContent => ({
  ...draftRecord(row),
  to: JSON.parse(row.to_addrs),
  cc: JSON.parse(row.cc_addrs),
  bcc: JSON.parse(row.bcc_addrs),
  text: row.body_text,
  html: row.body_html,
  reply_to: JSON.parse(row.reply_to),
  reply_to_message_id: row.reply_to_message_id,
  forward_message_id: row.forward_message_id,
  expect_last_message_id: row.expect_last_message_id,
  headers: headersOf(row),
  read_message_ids: JSON.parse(row.read_message_ids),
  approval_reason: row.approval_reason,
  attachments: files.map(({ filename, content_type, size, content_id }) => ({
    filename,
    content_type,
    size,
    inline: content_id !== null,
    content_id,
  })),
})

/** Checks whether a key may act on a draft: without the scope `read` only on one that the key wrote alone. */
const mayUse = ({ inboxId, scopes, keyId }: Scope, row: DraftRow): boolean =>
  (inboxId === null || inboxId === row.inbox_id) &&
  (scopes.includes('read') || (keyId !== '' && keyId === row.author_key_id))

/** Reads the row of a draft that the key may act on. @throws ServiceError `not_found` */
export async function draftRow(db: Kysely<Database>, scope: Scope, id: string): Promise<DraftRow> {
  const row = await db
    .selectFrom('drafts')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .where(hasInbox('drafts'))
    .executeTakeFirst()
  if (!row || !mayUse(scope, row)) throw notFound('draft', id)
  return row
}

const fileColumns = [
  'tenant_id',
  'draft_id',
  'position',
  'filename',
  'content_type',
  'content_id',
  'size',
  'blob_hash',
] as const

/** Reads the attachments of a draft, without the bytes. */
export const draftFiles = (db: Kysely<Database>, { tenant_id, id }: DraftRow) =>
  db
    .selectFrom('draft_files')
    .select(fileColumns)
    .where('tenant_id', '=', tenant_id)
    .where('draft_id', '=', id)
    .orderBy('position')
    .execute()

/** Reads an attachment of a draft, of one account or of any, by its position, from 0. */
export function draftFileAt(
  db: Kysely<Database>,
  tenantId: string | undefined,
  id: string,
  position: number,
): Promise<DraftFileRow | undefined> {
  const files = db
    .selectFrom('draft_files')
    .innerJoin('drafts', (join) =>
      join
        .onRef('drafts.tenant_id', '=', 'draft_files.tenant_id')
        .onRef('drafts.id', '=', 'draft_files.draft_id'),
    )
    .where(hasInbox('drafts'))
    .where('draft_files.draft_id', '=', id)
    .where('draft_files.position', '=', position)
    .selectAll('draft_files')
  const own = tenantId === undefined ? files : files.where('draft_files.tenant_id', '=', tenantId)
  return own.executeTakeFirst()
}

/** Reads the attachments of a draft with the bytes that are in the row. */
export const draftFilesWithBytes = (
  db: Kysely<Database>,
  { tenant_id, id }: DraftRow,
): Promise<DraftFileRow[]> =>
  db
    .selectFrom('draft_files')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('draft_id', '=', id)
    .orderBy('position')
    .execute()
