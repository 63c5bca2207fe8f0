import {
  type Compilable,
  type CompiledQuery,
  type DialectAdapter,
  type Kysely,
  type RawBuilder,
  sql,
} from 'kysely'
import { type AwayLabelId, awayLabelIds, type SystemLabelId } from '../../protocol/records/label-names'
import type { Database } from './tables/schema'

type OfLabels = 'messages' | 'threads'

/** Condition that a row has a label of the service. The id is inlined: it is never a stranger's text. */
export const labelled = (table: OfLabels, id: SystemLabelId): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${table}.label_ids`)} like ${sql.lit(`%"${id}"%`)}`

/** Conditions that a row has none of these labels, by default spam and trash. */
export const notLabelled = (
  table: OfLabels,
  ids: readonly AwayLabelId[] = awayLabelIds,
): RawBuilder<boolean>[] =>
  ids.map((id) => sql<boolean>`${sql.ref(`${table}.label_ids`)} not like ${sql.lit(`%"${id}"%`)}`)

const texts = new WeakMap<DialectAdapter, Map<string, CompiledQuery>>()

/**
 * Runs a query whose text is built once per dialect and key: with a handful of queries per message, building
 * them costs more than running them.
 *
 * @param parameters In the order in which `build` uses them.
 */
export async function runPrepared<Row>(
  db: Kysely<Database>,
  key: string,
  parameters: unknown[],
  build: () => Compilable<Row>,
): Promise<Row[]> {
  const { adapter } = db.getExecutor()
  const known = texts.get(adapter) ?? new Map<string, CompiledQuery>()
  texts.set(adapter, known)
  const query = known.get(key) ?? build().compile()
  known.set(key, query)
  const { rows } = await db.executeQuery({ ...query, parameters } as CompiledQuery<Row>)
  return rows
}

/** Pads a list for `in` with its last value to a power of two, so that few query texts are needed. */
export function padded<Value>(values: readonly Value[]): Value[] {
  const length = 2 ** Math.ceil(Math.log2(values.length))
  return [...values, ...Array<Value>(length - values.length).fill(values.at(-1)!)]
}

/** Rows of one insert: the text is built once per number of rows, so there are few numbers. */
const maxRows = 16

/**
 * Inserts rows that all have the same columns in the same order. @returns The returned rows of the statement.
 */
export async function insertPrepared<Row extends object, Returned>(
  db: Kysely<Database>,
  key: string,
  rows: readonly Row[],
  build: (rows: readonly Row[]) => Compilable<Returned>,
): Promise<Returned[]> {
  const returned: Returned[] = []
  for (let at = 0; at < rows.length; at += maxRows) {
    const some = rows.slice(at, at + maxRows)
    const answer = await runPrepared(
      db,
      `${key} ${some.length}`,
      some.flatMap((row) => Object.values(row)),
      () => build(some),
    )
    returned.push(...answer)
  }
  return returned
}
