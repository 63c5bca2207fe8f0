import type { Transaction } from 'kysely'
import type { Database } from '../../store/tables'

/** Lets nobody else change the index of an account; returns the position in the log up to which it has the messages. */
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
