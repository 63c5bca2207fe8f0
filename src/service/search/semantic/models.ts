import type { Kysely, Selectable, Transaction } from 'kysely'
import { newId } from '../../base/ids'
import type { Database } from '../../store/tables/schema'
import type { SearchModelTable } from '../../store/tables/search-tables'

/** Id of the built-in encoder; vectors of another file of weights or other passages need another id. */
export const builtInId = 'use-lite-int8-1'

const columns = ['tenant_id', 'id', 'embedder', 'state', 'reached', 'reached_bulk', 'version'] as const

/** Model of an account's messages. */
export type SearchModel = Pick<Selectable<SearchModelTable>, (typeof columns)[number]>

/** Models of an account: the searched one, and the one that is to replace it. */
export interface Models {
  readonly current: SearchModel | undefined
  readonly building: SearchModel | undefined
  /** Model whose vectors are being removed. */
  readonly deleted: SearchModel | undefined
}

export async function modelsOf(db: Kysely<Database>, tenantId: string): Promise<Models> {
  const rows = await db
    .selectFrom('search_models')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .execute()
  const find = (state: SearchModel['state']) => rows.find((row) => row.state === state)
  return { current: find('current'), building: find('building'), deleted: find('deleted') }
}

/** Inserts a model; one that is being built is searched once all messages have vectors. */
export async function insertModel(
  tx: Transaction<Database>,
  tenantId: string,
  nowMs: number,
  embedder: string,
  state: SearchModel['state'],
): Promise<void> {
  const row = { tenant_id: tenantId, id: newId('mod', nowMs), embedder, state }
  await tx.insertInto('search_models').values(row).execute()
}

export async function updateModel(
  tx: Transaction<Database>,
  { tenant_id, id }: Pick<SearchModel, 'tenant_id' | 'id'>,
  changed: Partial<SearchModel>,
): Promise<void> {
  const update = tx.updateTable('search_models').set(changed)
  await update.where('tenant_id', '=', tenant_id).where('id', '=', id).execute()
}

/** Deletes a model, whose vectors {@link removeSome} removes later. */
export const deleteModel = (tx: Transaction<Database>, model: SearchModel): Promise<void> =>
  updateModel(tx, model, { state: 'deleted' })

/** Number of vectors that one transaction removes, so that no message waits for it long. */
const maxRemoved = 500

/** Removes some vectors of a deleted model, and at last the model. Returns false if there is none. */
export async function removeSome(tx: Transaction<Database>, tenantId: string): Promise<boolean> {
  const { deleted } = await modelsOf(tx, tenantId)
  if (!deleted) return false
  const vectors = tx
    .selectFrom('search_vectors')
    .select('seq')
    .where('tenant_id', '=', tenantId)
    .where('model', '=', deleted.id)
    .orderBy('seq')
  const last = await vectors
    .offset(maxRemoved - 1)
    .limit(1)
    .executeTakeFirst()
  let removal = tx
    .deleteFrom('search_vectors')
    .where('tenant_id', '=', tenantId)
    .where('model', '=', deleted.id)
  if (last) removal = removal.where('seq', '<=', last.seq)
  await removal.execute()
  if (last) return true
  const row = tx.deleteFrom('search_models').where('tenant_id', '=', tenantId)
  await row.where('id', '=', deleted.id).execute()
  return true
}
