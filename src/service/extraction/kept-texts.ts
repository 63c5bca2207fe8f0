import type { Transaction } from 'kysely'
import type { ChangeContext } from '../log/registry'
import type { Extraction } from '../ports'
import type { Store } from '../store/store'
import type { Database } from '../store/tables/schema'

/** Text of a file whose content an account has. */
export interface KeptText {
  tenantId: string
  /** SHA-256 of the content of the file. */
  hash: string
}

/** Returns the stored text of a file; undefined if there is none. */
export async function readKeptText(
  store: Store,
  { tenantId, hash }: KeptText,
): Promise<Extraction | undefined> {
  const row = await store.db
    .selectFrom('attachment_texts')
    .select('result')
    .where('tenant_id', '=', tenantId)
    .where('content_hash', '=', hash)
    .executeTakeFirst()
  return row && (JSON.parse(row.result) as Extraction)
}

/**
 * Stores the text of a file, unless its attachment was erased meanwhile.
 *
 * @param extraction undefined if the text is already stored under another attachment
 */
export async function keepText(
  store: Store,
  { tenantId, hash }: KeptText,
  attachmentId: string,
  extraction?: Extraction,
): Promise<void> {
  await store.write(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('attachments')
      .set({ content_hash: hash })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', attachmentId)
      .executeTakeFirstOrThrow()
    if (Number(numUpdatedRows) === 0 || !extraction) return
    await tx
      .insertInto('attachment_texts')
      .values({ tenant_id: tenantId, content_hash: hash, result: JSON.stringify(extraction) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}

const isNamed = (tx: Transaction<Database>, tenantId: string, hash: string) =>
  tx
    .selectFrom('attachments')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('content_hash', '=', hash)
    .limit(1)
    .executeTakeFirst()

/** Erases the attachments of messages, with the texts of files that the account then no longer has. */
export async function eraseAttachments(
  { tx, account }: ChangeContext,
  messageIds: readonly string[],
): Promise<void> {
  const removed = await tx
    .deleteFrom('attachments')
    .where('tenant_id', '=', account.tenant_id)
    .where('message_id', 'in', messageIds)
    .returning('content_hash')
    .execute()
  const erased: string[] = []
  for (const hash of new Set(removed.map((row) => row.content_hash)))
    if (hash !== null && !(await isNamed(tx, account.tenant_id, hash))) erased.push(hash)
  if (erased.length === 0) return
  await tx
    .deleteFrom('attachment_texts')
    .where('tenant_id', '=', account.tenant_id)
    .where('content_hash', 'in', erased)
    .execute()
}
