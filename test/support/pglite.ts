import { PGlite } from '@electric-sql/pglite'
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import { migrate } from '../../src/service/store/migrate'
import { inTransaction, type Store } from '../../src/service/store/store'
import type { Database } from '../../src/service/store/tables'

type Extensions = NonNullable<ConstructorParameters<typeof PGlite>[0]>['extensions']

/** A PostgreSQL in this process, with extensions that the one of the tests lacks. It has one connection: who wants it waits. */
export async function openPglite(extensions: NonNullable<Extensions>): Promise<Store> {
  const pglite = await PGlite.create({ extensions })
  let free = Promise.resolve()
  const connect = async (): Promise<PostgresPoolClient> => {
    let release = () => {}
    const before = free
    free = new Promise((resolve) => {
      release = resolve
    })
    await before
    return {
      release,
      async query(statement: string | object, parameters?: readonly unknown[]) {
        const { rows, affectedRows } = await pglite.query(statement as string, [...(parameters ?? [])])
        const [command = ''] = /\w+/.exec(statement as string) ?? []
        return { rows, command: command.toUpperCase() as 'SELECT', rowCount: affectedRows ?? rows.length }
      },
    } as PostgresPoolClient
  }
  const end = () => pglite.close()
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: { connect, end } }) })
  await migrate(db, 'postgres')
  return {
    dialect: 'postgres',
    db,
    write: (work) => inTransaction(db, work),
    settled: async () => {},
    scrub: async () => true,
    close: () => db.destroy(),
  }
}
