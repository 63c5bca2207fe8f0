import { type Kysely, sql } from 'kysely'
import type { Step } from './step'
import { addColumns, textOrNull } from './tables'

interface Own {
  tenant_id: string
  id: string
  folded: string
}

const has = (id: string) => `label_ids like '%"${id}"%'`

const indexes = {
  // Finds unread messages without scanning read ones, at one index entry for each new message.
  messages_unread: `messages (tenant_id, created_seq, inbox_id)
    where ${has('unread')} and not ${has('spam')} and not ${has('trash')}`,
  message_labels_in_trash: "message_labels (assigned_at) where label_id = 'trash'",
}

/** Replaces an account's label with the service's label of the same name. */
async function takeOver(db: Kysely<unknown>, { tenant_id, id, folded }: Own, time: string): Promise<void> {
  const [from, to] = [`"${id}"`, `"${folded}"`]
  await sql`update messages set label_ids = replace(label_ids, ${from}, ${to}) where tenant_id = ${tenant_id}
    and id in (select message_id from message_labels where tenant_id = ${tenant_id} and label_id = ${id})`.execute(
    db,
  )
  if (folded === 'unread') {
    // Threads no longer repeat it, and `message_labels` has no rows for it.
    await sql`delete from message_labels where tenant_id = ${tenant_id} and label_id = ${id}`.execute(db)
    await sql`update threads set label_ids = replace(replace(replace(label_ids, ${`,${from}`}, ''), ${`${from},`}, ''),
      ${from}, '') where tenant_id = ${tenant_id}
      and id in (select thread_id from thread_labels where tenant_id = ${tenant_id} and label_id = ${id})`.execute(
      db,
    )
    await sql`delete from thread_labels where tenant_id = ${tenant_id} and label_id = ${id}`.execute(db)
  } else {
    await sql`update message_labels set label_id = ${folded}, assigned_at = ${time}
      where tenant_id = ${tenant_id} and label_id = ${id}`.execute(db)
    await sql`update threads set label_ids = replace(label_ids, ${from}, ${to}) where tenant_id = ${tenant_id}
      and id in (select thread_id from thread_labels where tenant_id = ${tenant_id} and label_id = ${id})`.execute(
      db,
    )
    await sql`update thread_labels set label_id = ${folded}
      where tenant_id = ${tenant_id} and label_id = ${id}`.execute(db)
  }
}

/**
 * Makes `archived`, `trash` and `unread` labels of the service, like `spam`: accounts no longer have rows for
 * them. Messages that accounts had labelled so stay labelled. The time in the trash counts from now.
 */
export const systemLabels: Step = (dialect) => ({
  async up(db) {
    await addColumns(db, 'message_labels', { assigned_at: textOrNull }, dialect)
    const named = sql`folded in ('archived', 'spam', 'trash', 'unread')`
    const { rows } =
      await sql<Own>`select tenant_id, id, folded from labels where ${named} and id <> folded`.execute(db)
    const time = new Date().toISOString()
    for (const own of rows) await takeOver(db, own, time)
    await sql`delete from labels where ${named}`.execute(db)
    for (const [name, on] of Object.entries(indexes))
      await sql.raw(`create index ${name} on ${on}`).execute(db)
  },
})
