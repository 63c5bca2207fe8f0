import type { Transaction } from 'kysely'
import type { LogPorts } from '../../log/ports'
import type { Database } from '../../store/tables/schema'

/**
 * Keeps an account from being erased while its rows are written, so that none are left behind. Returns the
 * end of its log, or undefined if it was deleted.
 */
export async function holdAccount(
  { store }: Pick<LogPorts, 'store'>,
  tx: Transaction<Database>,
  tenantId: string,
): Promise<number | undefined> {
  const account = tx.selectFrom('accounts').select('seq').where('tenant_id', '=', tenantId)
  const row = await (store.dialect === 'postgres' ? account.forKeyShare() : account).executeTakeFirst()
  return row?.seq
}

/** Locks the index of an account; returns the log position up to which its messages are indexed. */
export async function lockIndex(tx: Transaction<Database>, tenantId: string): Promise<number> {
  const row = await tx
    .insertInto('search_cursors')
    .values({ tenant_id: tenantId, seq: 0 })
    .onConflict((conflict) =>
      conflict.column('tenant_id').doUpdateSet((eb) => ({ seq: eb.ref('search_cursors.seq') })),
    )
    .returning('seq')
    .executeTakeFirstOrThrow()
  return row.seq
}
