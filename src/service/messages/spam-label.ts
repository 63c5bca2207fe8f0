import { sql } from 'kysely'
import { foldLabelName, spamLabelId } from '../../protocol/records'
import type { ChangeContext } from '../log'
import { type LabelRow, labelRecord } from './records'

/** The labels of a mail that was judged to be spam. */
export const onlySpam = JSON.stringify([spamLabelId])

/** Tells whether a thread has mail that is marked as spam, or a message is marked itself. */
export const hasSpam = ({ label_ids }: { label_ids: string }): boolean =>
  label_ids.includes(`"${spamLabelId}"`)

/**
 * The condition that a row of `messages` or `threads` has the label. The quotes hold an id, never a stranger's text.
 */
export const markedSpam = (table: 'messages' | 'threads') =>
  sql<boolean>`${sql.ref(`${table}.label_ids`)} like ${sql.lit(`%"${spamLabelId}"%`)}`

/** Gives a label that the account made of its own another name, since this one is taken by the service. */
async function moveAside({ tx, append }: ChangeContext, row: LabelRow): Promise<void> {
  const name = `${row.name} (${row.id})`
  const seq = append('label.updated', null, labelRecord({ ...row, name }))
  await tx
    .updateTable('labels')
    .set({ name, folded: foldLabelName(name), seq })
    .where('tenant_id', '=', row.tenant_id)
    .where('id', '=', row.id)
    .execute()
}

/** The label for spam; it is made when it is first needed. */
export async function ensureSpamLabel(change: ChangeContext): Promise<LabelRow> {
  const { tx, account } = change
  const held = await tx
    .selectFrom('labels')
    .selectAll()
    .where('tenant_id', '=', account.tenant_id)
    .where((or) => or.or([or('id', '=', spamLabelId), or('folded', '=', spamLabelId)]))
    .executeTakeFirst()
  if (held?.id === spamLabelId) return held
  if (held) await moveAside(change, held)
  const row: LabelRow = {
    tenant_id: account.tenant_id,
    id: spamLabelId,
    name: spamLabelId,
    folded: spamLabelId,
    created_at: change.now,
    seq: 0,
  }
  row.seq = change.append('label.created', null, labelRecord(row))
  await tx.insertInto('labels').values(row).execute()
  return row
}
