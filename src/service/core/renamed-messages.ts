import type { Change } from './change'

/** Notes the Message-IDs that relays gave to a message: what refers to them belongs to its thread, or is about it. */
export async function noteNames(
  { tx, account }: Change,
  messageId: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return
  const row = await tx
    .selectFrom('messages')
    .select(['inbox_id', 'thread_id'])
    .where('tenant_id', '=', account.tenant_id)
    .where('id', '=', messageId)
    .executeTakeFirst()
  if (!row) return
  await tx
    .insertInto('thread_keys')
    .values(
      names.map((rfc822_message_id) => ({
        tenant_id: account.tenant_id,
        inbox_id: row.inbox_id,
        rfc822_message_id,
        thread_id: row.thread_id,
        message_id: messageId,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
