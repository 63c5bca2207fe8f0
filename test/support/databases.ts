import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { ServiceOptions } from 'restante/service'
import { describe, inject } from 'vitest'
import { postgresUrl } from './postgres-url'

/** A database of its own for one test: where it is, and how to be rid of it. */
export interface TestDatabase {
  options: ServiceOptions
  drop(): Promise<void>
}

/** A `new` one has no tables; any other may have them already, all of them empty, which takes a second less. */
export type OpenDatabase = (kind?: 'new') => Promise<TestDatabase>

// No test ends PostgreSQL, so none need wait until its disk has what was committed.
const quick = '-c synchronous_commit=off'
const pool = new pg.Pool({ connectionString: postgresUrl, options: quick, max: 2, allowExitOnIdle: true })
const run = async (statement: string) => void (await pool.query(statement))

const sqliteFolder: OpenDatabase = async () => {
  const data = await mkdtemp(join(tmpdir(), 'restante-'))
  return { options: { data }, drop: () => rm(data, { recursive: true, force: true }) }
}

/** They are dropped when all tests have run. */
const emptySchemas: string[] = []

async function createSchema(): Promise<string> {
  const schema = `${inject('schemaPrefix')}${randomBytes(6).toString('hex')}`
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
  const schema = (kind !== 'new' && emptySchemas.pop()) || (await createSchema())
  const databaseUrl = `${postgresUrl}?options=${encodeURIComponent(`-c search_path=${schema} ${quick}`)}`
  const options = { databaseUrl, secret: 'a secret of the tests' }
  return { options, drop: () => (kind === 'new' ? dropSchema : emptySchema)(schema) }
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
  describe.skipIf(!reachable)(`${name} on PostgreSQL`, () => tests(postgresSchema))
}
