import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { ServiceOptions } from 'restante/service'
import { afterAll, describe } from 'vitest'

export const postgresUrl = process.env.RESTANTE_TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/test'

/** A database of its own for one test: where it is, and how to be rid of it. */
export interface TestDatabase {
  options: ServiceOptions
  drop(): Promise<void>
}

/** A `used` one may have its tables already, all of them empty, which costs half as much as `new`. */
export type OpenDatabase = (kind?: 'new' | 'used') => Promise<TestDatabase>

async function run(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

const sqliteFolder: OpenDatabase = async () => {
  const data = await mkdtemp(join(tmpdir(), 'restante-'))
  return { options: { data }, drop: () => rm(data, { recursive: true, force: true }) }
}

const emptySchemas: string[] = []

async function createSchema(): Promise<string> {
  const schema = `restante_${randomBytes(6).toString('hex')}`
  await run(`create schema ${schema}`)
  return schema
}

const dropSchema = (schema: string) => run(`drop schema ${schema} cascade`)

async function emptySchema(schema: string): Promise<void> {
  await run(`do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = '${schema}' and tablename not like 'kysely%'
    loop execute format('delete from ${schema}.%I', name); end loop; end $$`)
  emptySchemas.push(schema)
}

/** A schema of its own in the PostgreSQL of the tests. */
export const postgresSchema: OpenDatabase = async (kind) => {
  const used = kind === 'used'
  const schema = (used && emptySchemas.pop()) || (await createSchema())
  const databaseUrl = `${postgresUrl}?options=-c%20search_path%3D${schema}`
  const options = { databaseUrl, secret: 'a secret of the tests' }
  return { options, drop: () => (used ? emptySchema : dropSchema)(schema) }
}

/** Whether there is a PostgreSQL to test on. */
export const reachable = await run('select 1').then(
  () => true,
  (error) => {
    const message = `PostgreSQL cannot be reached (${(error as Error).message}); set RESTANTE_TEST_POSTGRES to one`
    if (process.env.CI) throw new Error(message)
    console.warn(`${message}: its half of the store tests is skipped.`)
    return false
  },
)

/** Runs the same tests on both databases. */
export function describeDatabases(name: string, tests: (open: OpenDatabase) => void): void {
  describe(`${name} on SQLite`, () => tests(sqliteFolder))
  describe.skipIf(!reachable)(`${name} on PostgreSQL`, () => {
    afterAll(async () => {
      for (const schema of emptySchemas.splice(0)) await dropSchema(schema)
    })
    tests(postgresSchema)
  })
}
