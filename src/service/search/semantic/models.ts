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

/** A model of an account's messages, without what was learned. */
export type SearchModel = Pick<Selectable<SearchModelTable>, (typeof columns)[number]>

/** The embedder that learns from the mail itself. */
export const builtIn = 'built-in'

/** Mail that is embedded together: that of an account, or of one inbox of it. */
export interface MailScope {
  readonly tenant_id: string
  readonly inbox_id: string | null
}

/** The models of some mail: the one that is searched, and the one that is to take its place. */
export interface Models {
  current: SearchModel | undefined
  building: SearchModel | undefined
}

/** All models of an account, those of its inboxes too. */
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

/** The mail that a model was learned from. */
export interface Learned {
  learned: number
  learned_seq: number
  learned_share: number
  knowledge: Uint8Array
}

const untaught = { learned: 0, learned_seq: 0, learned_share: 0, knowledge: null }

/** Begins a model that is searched once all messages have vectors of it. */
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

/** Removes a model with its vectors; of those that are rows the database does it. */
export async function dropModel(
  tx: Transaction<Database>,
  { tenant_id, id }: Pick<SearchModel, 'tenant_id' | 'id'>,
): Promise<void> {
  await tx.deleteFrom('search_vectors').where('tenant_id', '=', tenant_id).where('model', '=', id).execute()
  await tx.deleteFrom('search_models').where('tenant_id', '=', tenant_id).where('id', '=', id).execute()
}
