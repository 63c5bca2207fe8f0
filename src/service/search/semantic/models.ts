import type { Kysely, Selectable, Transaction } from 'kysely'
import { newId } from '../../base'
import type { Database, SearchModelTable } from '../../store/tables'

const columns = [
  'tenant_id',
  'id',
  'inbox_id',
  'embedder',
  'place',
  'state',
  'reached',
  'version',
  'learned',
  'learned_seq',
  'learned_share',
  'revision',
  'gone_at',
] as const

/** Model of an account's messages, without the learned data. */
export type SearchModel = Pick<Selectable<SearchModelTable>, (typeof columns)[number]>

/** Embedder that learns from the messages themselves. */
export const builtIn = 'built-in'

/** Messages that are embedded together: those of an account, or of one of its inboxes. */
export interface MailScope {
  readonly tenant_id: string
  readonly inbox_id: string | null
}

/** Models of a scope: the searched one, and the one that is to replace it. */
export interface Models {
  current: SearchModel | undefined
  building: SearchModel | undefined
}

/** Returns all models of an account, including those of its inboxes. */
export const allModels = (db: Kysely<Database>, tenantId: string): Promise<SearchModel[]> =>
  db.selectFrom('search_models').select(columns).where('tenant_id', '=', tenantId).execute()

export async function modelsOf(db: Kysely<Database>, { tenant_id, inbox_id }: MailScope): Promise<Models> {
  const rows = (await allModels(db, tenant_id)).filter((row) => row.inbox_id === inbox_id)
  const find = (state: SearchModel['state']) => rows.find((row) => row.state === state)
  return { current: find('current'), building: find('building') }
}

export async function knowledgeOf(db: Kysely<Database>, { tenant_id, id }: SearchModel): Promise<Uint8Array> {
  const row = await db
    .selectFrom('search_models')
    .select('knowledge')
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (!row.knowledge) throw new Error(`the model ${id} of ${tenant_id} has learned nothing`)
  return row.knowledge
}

/** A learned model, and its sample. */
export interface Learned {
  learned: number
  learned_seq: number
  learned_share: number
  knowledge: Uint8Array
}

const untaught = { learned: 0, learned_seq: 0, learned_share: 0, knowledge: null }

/** Inserts a model that is searched once all messages have vectors. */
export async function insertModel(
  tx: Transaction<Database>,
  { tenant_id, inbox_id }: MailScope,
  nowMs: number,
  wanted: Pick<SearchModel, 'embedder' | 'place'>,
  learned: Learned | undefined,
): Promise<void> {
  await tx
    .insertInto('search_models')
    .values({
      tenant_id,
      inbox_id,
      id: newId('mod', nowMs),
      ...wanted,
      state: 'building',
      gone_at: null,
      ...(learned ?? untaught),
    })
    .execute()
}

export async function updateModel(
  tx: Transaction<Database>,
  { tenant_id, id }: Pick<SearchModel, 'tenant_id' | 'id'>,
  changed: Partial<Selectable<SearchModelTable>>,
): Promise<void> {
  await tx
    .updateTable('search_models')
    .set(changed)
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute()
}

/** Deletes a model with its vectors; the database cascades to vectors in rows. */
export async function dropModel(
  tx: Transaction<Database>,
  { tenant_id, id }: Pick<SearchModel, 'tenant_id' | 'id'>,
): Promise<void> {
  await tx.deleteFrom('search_vectors').where('tenant_id', '=', tenant_id).where('model', '=', id).execute()
  await tx.deleteFrom('search_models').where('tenant_id', '=', tenant_id).where('id', '=', id).execute()
}
