import type { Transaction } from 'kysely'
import type { ChangeContext } from '../log/registry'
import { announceMessage } from '../messages/messages'
import type { Extraction } from '../ports'
import type { Store } from '../store/store'
import type { Database } from '../store/tables/schema'

/** Text of a file whose content an account has. */
export interface KeptText {
  tenantId: string
  /** SHA-256 of the content of the file. */
  hash: string
}

/** Version of the results; those of an earlier one are read again. 2 has the files in archives and messages. */
const resultVersion = 2

/**
 * Returns the stored text of a file; undefined if there is none, or only one of an earlier version.
 *
 * @param minVersion earliest version that will do
 */
export async function readKeptText(
  store: Pick<Store, 'db'>,
  { tenantId, hash }: KeptText,
  minVersion = resultVersion,
): Promise<Extraction | undefined> {
  const row = await store.db
    .selectFrom('attachment_texts')
    .select('result')
    .where('tenant_id', '=', tenantId)
    .where('content_hash', '=', hash)
    .executeTakeFirst()
  if (!row) return undefined
  const { version = 1, ...extraction } = JSON.parse(row.result) as Extraction & { version?: number }
  return version >= minVersion ? extraction : undefined
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
    const result = JSON.stringify({ version: resultVersion, ...extraction })
    await tx
      .insertInto('attachment_texts')
      .values({ tenant_id: tenantId, content_hash: hash, result })
      // An engine for OCR may have read it after all.
      .onConflict((conflict) => conflict.columns(['tenant_id', 'content_hash']).doUpdateSet({ result }))
      .execute()
  })
}

/** Attachment whose text was read. */
export interface ReadAttachment {
  id: string
  /** SHA-256 of its content; null if its message no longer has it. */
  hash: string | null
  extraction: Extraction
}

/** Stores the results of files of one message. If a status changed, the message has changed, with an event. */
export async function keepStatuses(
  change: ChangeContext,
  messageId: string,
  files: readonly ReadAttachment[],
): Promise<void> {
  const { tx, account } = change
  let isChanged = false
  let hasText = false
  for (const { id, hash, extraction } of files) {
    const row = await tx
      .selectFrom('attachments')
      .select('text_status')
      .where('tenant_id', '=', account.tenant_id)
      .where('id', '=', id)
      .executeTakeFirst()
    if (!row || row.text_status === extraction.status) continue
    isChanged = true
    hasText ||= extraction.status === 'ready'
    await tx
      .updateTable('attachments')
      .set({
        content_hash: hash,
        text_status: extraction.status,
        page_count: extraction.status === 'ready' ? extraction.pageCount : null,
        text_tokens: extraction.tokens ?? null,
      })
      .where('tenant_id', '=', account.tenant_id)
      .where('id', '=', id)
      .execute()
  }
  if (isChanged) await announceMessage(change, messageId)
  if (hasText) await change.tell('filesRead', { messageId })
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
