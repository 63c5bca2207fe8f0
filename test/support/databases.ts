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

export const sqliteFolder: OpenDatabase = async () => {
  const data = await mkdtemp(join(tmpdir(), 'restante-'))
  return { options: { data }, drop: () => rm(data, { recursive: true, force: true }) }
}

/**
 * PgBouncer, where the tests go through one: it lets no `options` through, so that each schema has a role of its name,
 * whose connections begin in it.
 */
const poolerUrl = inject('poolerUrl')

const withUser = (url: string, username: string) =>
  Object.assign(new URL(url), { username, password: '' }).href

/** They are dropped when all tests have run. */
const emptySchemas: string[] = []

async function createSchema(): Promise<string> {
  const schema = `${inject('schemaPrefix')}${randomBytes(6).toString('hex')}`
  if (!poolerUrl) await run(`create schema ${schema}`)
  else
    await run(`create role ${schema} login; create schema ${schema} authorization ${schema};
      alter role ${schema} set search_path = ${schema}; alter role ${schema} set synchronous_commit = off`)
  return schema
}

const dropSchema = (schema: string) => run(`drop schema ${schema} cascade`)

/** Makes the log one partition again, as in a new database: housekeeping of the next test would drop what it takes for old. */
const joinPartitions = (schema: string) =>
  run(`do $$ declare part record; begin
    for part in select c.relname, pg_get_expr(c.relpartbound, c.oid) as bound from pg_inherits i
      join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass('${schema}.events')
      order by pg_get_expr(c.relpartbound, c.oid) like '%MINVALUE%'
    loop
      if part.bound not like '%MINVALUE%' then
        execute format('drop table ${schema}.%I', part.relname);
      elsif part.bound not like '%MAXVALUE%' then
        execute format('alter table ${schema}.events detach partition ${schema}.%I', part.relname);
        execute format('alter table ${schema}.events attach partition ${schema}.%I for values from (minvalue) to (maxvalue)', part.relname);
      end if;
    end loop; end $$`)

async function emptySchema(schema: string): Promise<void> {
  await run(`do $$ declare name text; begin
    for name in select relname from pg_class where relnamespace = '${schema}'::regnamespace and relkind = 'r'
      and relname not like 'kysely%'
    loop execute format('delete from ${schema}.%I', name); end loop; end $$`)
  await joinPartitions(schema)
  emptySchemas.push(schema)
}

/** A schema of its own in the PostgreSQL of the tests. */
export const postgresSchema: OpenDatabase = async (kind) => {
  const schema = (kind !== 'new' && emptySchemas.pop()) || (await createSchema())
  const directUrl = `${postgresUrl}?options=${encodeURIComponent(`-c search_path=${schema} ${quick}`)}`
  const urls = poolerUrl
    ? { databaseUrl: withUser(poolerUrl, schema), databaseDirectUrl: withUser(directUrl, schema) }
    : { databaseUrl: directUrl }
  const options = { ...urls, secret: 'a secret of the tests' }
  return { options, drop: () => (kind === 'new' ? dropSchema : emptySchema)(schema) }
}

/** The URL of PostgreSQL itself, for what goes through no pooler: options, and looking at or ending connections. */
export const directUrlOf = ({ databaseUrl, databaseDirectUrl }: ServiceOptions): string =>
  databaseDirectUrl ?? databaseUrl!

/** The name of the schema that {@link postgresSchema} made. */
export const schemaOf = (options: ServiceOptions): string =>
  /search_path%3D(\w+)/.exec(directUrlOf(options))![1]!

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

/** One of the databases, if {@link describeDatabases} shall leave out the other: `sqlite` or `postgres`. */
const onlyStore = process.env.RESTANTE_TEST_STORES

/** Runs the same tests on both databases. */
export function describeDatabases(name: string, tests: (open: OpenDatabase) => void): void {
  describe.skipIf(onlyStore === 'postgres')(`${name} on SQLite`, () => tests(sqliteFolder))
  describe.skipIf(!reachable || onlyStore === 'sqlite')(`${name} on PostgreSQL`, () => tests(postgresSchema))
}
