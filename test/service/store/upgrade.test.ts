import { join } from 'node:path'
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { kyselyDatabase, openLibsql } from '../../../src/service/store/libsql-database'
import { migrationsFor } from '../../../src/service/store/migrations'
import type { Database } from '../../../src/service/store/schema'
import { describeDatabases, type TestDatabase } from '../../support/databases'
import { startService } from '../../support/service'

const first = '0001-first-tables'

describeDatabases('a database of another version', (openDatabase) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await openDatabase('new')
  })
  afterEach(() => database.drop())

  async function change(work: (db: Kysely<Database>) => Promise<unknown>): Promise<void> {
    const { data, databaseUrl } = database.options
    const dialect = databaseUrl
      ? new PostgresDialect({ pool: new pg.Pool({ connectionString: databaseUrl }) })
      : new SqliteDialect({ database: kyselyDatabase(openLibsql(join(data!, 'restante.sqlite'))) })
    const db = new Kysely<Database>({ dialect })
    await work(db).finally(() => db.destroy())
  }

  /** The tables of the first step, and an account as it was then. */
  const makeOld = () =>
    change(async (db) => {
      const dialect = database.options.databaseUrl ? 'postgres' : 'sqlite'
      const { [first]: step } = await migrationsFor(dialect).getMigrations()
      await step!.up(db)
      await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
        db,
      )
      await sql`create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null default 0)`.execute(
        db,
      )
      await sql`insert into kysely_migration_lock values ('migration_lock', 0)`.execute(db)
      await sql`insert into kysely_migration values (${first}, '2026-01-01T00:00:00.000Z')`.execute(db)
      await sql`insert into accounts (tenant_id, name, plan, onboarding_state, created_at, unclaimed_expires_at) values ('acc_old', 'Old', 'standard', 'unclaimed', '2026-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z')`.execute(
        db,
      )
    })

  it('is brought up to date, by several nodes at once where there may be some, and mail flows', async () => {
    await makeOld()
    const nodes = await Promise.all(
      Array.from({ length: database.options.databaseUrl ? 2 : 1 }, () => startService(database.options)),
    )
    for (const node of nodes) await node.mail({ subject: 'new' })
    expect((await nodes[0]!.call('GET', '/messages')).body.messages).toHaveLength(nodes.length)
    for (const node of nodes) await node[Symbol.asyncDispose]()
    let name: string | undefined
    await change(async (db) => {
      const row = await db
        .selectFrom('accounts')
        .selectAll()
        .where('tenant_id', '=', 'acc_old')
        .executeTakeFirst()
      name = row?.name
    })
    expect(name).toBe('Old')
  })

  it('is refused in one line where a newer version made it, and let go', async () => {
    const service = await startService(database.options)
    await service[Symbol.asyncDispose]()
    await change((db) => sql`insert into kysely_migration values ('9999-future', 'now')`.execute(db))
    for (let i = 0; i < 2; i++)
      await expect(startService(database.options)).rejects.toMatchObject({
        code: 'database_too_new',
        message: expect.stringContaining('9999-future'),
      })
  })
})
