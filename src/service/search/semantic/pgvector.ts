import { type Kysely, sql, type Transaction } from 'kysely'
import type { Store } from '../../store'
import type { Database } from '../../store/tables'
import { quantize } from '../lsa'
import type { SearchModel } from './models'
import type { PlacedEmbedding } from './packed'
import { inColumns, type NearMessages, nearerTo, queryOf, type ScanScope } from './scan'
import type { Wanted } from './thread'

// With pgvector the database compares the vectors, and no process holds them in memory. It has a row for each
// message, with the same numbers as packed vectors, so that the results are equal.

/** The extension, by the schema of its types and operators. */
export interface Pgvector {
  readonly schema: string
}

/** Place of vector search, with an optional message for the administrator. */
export interface VectorPlace {
  readonly pgvector: Pgvector | undefined
  readonly said?: string
}

/** First version with vectors of two bytes per number. */
const leastVersion = [0, 7]

const isEnough = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > leastVersion[0]! || (major === leastVersion[0]! && minor >= leastVersion[1]!)
}

interface Extension {
  version: string
  schema: string | null
}

/** Finds the extension: it may be installed on the machine and not yet in the database. */
async function extensionOf(db: Kysely<Database>): Promise<Extension | undefined> {
  const { rows } =
    await sql<Extension>`select coalesce(e.extversion, a.default_version) as version, n.nspname as schema
    from pg_available_extensions a left join pg_extension e on e.extname = a.name
    left join pg_namespace n on n.oid = e.extnamespace where a.name = 'vector'`.execute(db)
  return rows[0]
}

const createTable = ({ schema }: Pgvector) => sql`create table if not exists search_vector_rows (
  tenant_id text collate "C" not null, model text collate "C" not null, seq bigint not null,
  inbox_id text collate "C" not null, scale real not null, confidence smallint not null,
  numbers ${sql.id(schema, 'halfvec')} not null,
  primary key (tenant_id, model, seq),
  foreign key (tenant_id, model) references search_models (tenant_id, id) on delete cascade)`

/** Arbitrary number: nodes that start at once wait for each other. */
const tableLock = 7_250_117

/** Prepares the extension if the database has it; the message names the choice unless it is obvious. */
export async function openPgvector({ db, dialect }: Pick<Store, 'db' | 'dialect'>): Promise<VectorPlace> {
  if (dialect !== 'postgres') return { pgvector: undefined }
  try {
    let extension = await extensionOf(db)
    if (!extension)
      return { pgvector: undefined, said: 'There is no pgvector: this process compares meanings.' }
    if (extension.schema === null) {
      await sql`create extension if not exists vector`.execute(db)
      extension = await extensionOf(db)
    }
    const { version, schema } = extension as { version: string; schema: string }
    if (!isEnough(version))
      return {
        pgvector: undefined,
        said: `pgvector ${version} is too old, this process compares meanings: ALTER EXTENSION vector UPDATE to ${leastVersion.join('.')} or newer.`,
      }
    await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${tableLock})`.execute(tx)
      await createTable({ schema }).execute(tx)
    })
    return { pgvector: { schema }, said: `The database compares meanings, by pgvector ${version}.` }
  } catch (error) {
    const reason = (error as Error).message
    return {
      pgvector: undefined,
      said: `pgvector cannot be used, this process compares meanings: ${reason}. CREATE EXTENSION vector as an owner of the database.`,
    }
  }
}

const halfvec = ({ schema }: Pgvector, numbers: ArrayLike<number>) =>
  sql`cast(${`[${Array.from(numbers).join(',')}]`} as ${sql.id(schema, 'halfvec')})`

/** Adds the vectors of messages. */
export async function appendRows(
  tx: Transaction<Database>,
  pgvector: Pgvector,
  model: SearchModel,
  added: readonly PlacedEmbedding[],
): Promise<void> {
  if (added.length === 0) return
  const rows = added.map(({ seq, inboxId, vector, confidence }) => {
    const numbers = new Int8Array(vector.length)
    const scale = quantize(vector, numbers)
    return sql`(${model.tenant_id}, ${model.id}, ${seq}, ${inboxId}, ${Math.fround(scale)},
      ${Math.round(confidence * 255)}, ${halfvec(pgvector, numbers)})`
  })
  await sql`insert into search_vector_rows (tenant_id, model, seq, inbox_id, scale, confidence, numbers)
    values ${sql.join(rows)}`.execute(tx)
}

const isOf = ({ tenant_id, id }: SearchModel) => sql`tenant_id = ${tenant_id} and model = ${id}`
const isIn = (seqs: Iterable<number>) => sql`seq in (${sql.join([...seqs])})`

/** Deletes the vectors of messages. */
export async function removeRows(
  tx: Transaction<Database>,
  model: SearchModel,
  gone: Iterable<number>,
): Promise<void> {
  await sql`delete from search_vector_rows where ${isOf(model)} and ${isIn(gone)}`.execute(tx)
}

const isInInboxes = ({ inboxIds }: ScanScope) =>
  inboxIds === null
    ? sql`true`
    : inboxIds.length === 0
      ? sql`false`
      : sql`inbox_id in (${sql.join([...inboxIds])})`

/** Finds the messages nearest to a vector, or rescores some, as a scan of packed vectors does. */
export async function nearestRows(
  db: Kysely<Database>,
  pgvector: Pgvector,
  model: SearchModel,
  { scope, vector, wanted }: { scope: ScanScope; vector: Float32Array; wanted: Wanted },
): Promise<NearMessages> {
  if (!('limit' in wanted) && wanted.among.length === 0) return inColumns([])
  const { numbers, scale } = queryOf(
    'limit' in wanted ? vector : await nearerOf(db, pgvector, model, vector, wanted.like),
  )
  // Vectors of another length are from an endpoint whose model has changed.
  const product = sql`case when ${sql.id(pgvector.schema, 'vector_dims')}(numbers) = ${numbers.length}
    then -(numbers operator(${sql.id(pgvector.schema)}.<#>) ${halfvec(pgvector, numbers)}) end`
  const isWanted = 'limit' in wanted ? sql`seq <= ${scope.toSeq}` : isIn(wanted.among)
  const limit = 'limit' in wanted ? wanted.limit : wanted.among.length
  const { rows } = await sql<{ seq: number; scale: number; confidence: number; product: number | null }>`
    select seq, scale, confidence, product from (select seq, scale, confidence, ${product} as product
      from search_vector_rows where ${isOf(model)} and ${isInInboxes(scope)} and ${isWanted}) found
    order by product * scale desc nulls last, seq desc limit ${limit}`.execute(db)
  const found = rows
    .filter((row) => row.product !== null)
    .map((row) => ({
      seq: Number(row.seq),
      score: Math.min(1, row.product! * Math.fround(row.scale) * scale),
      confidence: row.confidence / 255,
    }))
  return inColumns(found)
}

/** Returns a vector moved towards some messages. */
async function nearerOf(
  db: Kysely<Database>,
  { schema }: Pgvector,
  model: SearchModel,
  vector: Float32Array,
  like: readonly number[],
): Promise<Float32Array> {
  if (like.length === 0) return vector
  const { rows } = await sql<{ scale: number; numbers: string }>`select scale, numbers::text as numbers
    from search_vector_rows where ${isOf(model)} and ${isIn(like)}
    and ${sql.id(schema, 'vector_dims')}(numbers) = ${vector.length} order by seq`.execute(db)
  const found = rows.map((row) => ({
    scale: Math.fround(row.scale),
    numbers: Int8Array.from(JSON.parse(row.numbers) as number[]),
  }))
  return nearerTo(vector, found, like.length)
}
