import type { Compilable, CompiledQuery, DialectAdapter, Kysely } from 'kysely'
import type { Database } from './tables'

const texts = new WeakMap<DialectAdapter, Map<string, CompiledQuery>>()

/**
 * Runs a query whose text is built once for each dialect and key: where a mail takes a handful of queries,
 * building them costs more than running them.
 *
 * @param parameters In the order in which `build` names them.
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

/** A list for `in`, made longer by its last value, so that there are few lengths and so few texts of a query. */
export function padded<Value>(values: readonly Value[]): Value[] {
  const length = 2 ** Math.ceil(Math.log2(values.length))
  return [...values, ...Array<Value>(length - values.length).fill(values.at(-1)!)]
}

/** Rows of one insert: the text is built once for each number of them, so there are few numbers. */
const maxRows = 16

/** Inserts rows that all have the same columns in the same order. @returns What the statement says it returns. */
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
