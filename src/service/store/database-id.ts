import { randomUUID } from 'node:crypto'
import type { Store } from './store'

const key = 'database'

/** Returns the id of a database, the same on every node; it is created on first use. */
export async function databaseId({ db }: Store): Promise<string> {
  await db
    .insertInto('host')
    .values({ key, value: randomUUID() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { value } = await db
    .selectFrom('host')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  return value
}
