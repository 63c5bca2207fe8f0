import { randomBytes } from 'node:crypto'
import { statfsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { build } from 'tsup'
import type { TestProject } from 'vitest/node'
import { startSharedPgbouncer } from './pgbouncer'
import { postgresUrl } from './postgres-url'

declare module 'vitest' {
  interface ProvidedContext {
    /** What the names of this run's schemas in PostgreSQL begin with. */
    schemaPrefix: string
    /** Where PgBouncer is, if the tests of the store go through one. */
    poolerUrl: string | undefined
  }
}

/** Drops what the workers kept for further tests, and the roles that schemas behind PgBouncer have. */
async function dropSchemas(prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl })
  try {
    await client.connect()
  } catch {
    return // without PostgreSQL there are none
  }
  const { rows } = await client.query(
    'select nspname as name from pg_namespace where starts_with(nspname, $1)',
    [prefix],
  )
  for (const { name } of rows) await client.query(`drop schema ${name} cascade`)
  const roles = await client.query('select rolname as name from pg_roles where starts_with(rolname, $1)', [
    prefix,
  ])
  for (const { name } of roles.rows) await client.query(`drop role ${name}`)
  await client.end()
}

const memoryFolder = '/dev/shm'
const wantedBytes = 4 * 2 ** 30

/** Has temporary folders lie in memory where there is enough: tests end processes, and never the machine. */
function useMemoryFolder(): void {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder)
    if (process.env.TMPDIR === undefined && bavail * bsize >= wantedBytes) process.env.TMPDIR = memoryFolder
  } catch {
    // This system has no such folder.
  }
}

/** Starts the PgBouncer that `RESTANTE_TEST_PGBOUNCER=1` asks for. */
const startPooler = () =>
  process.env.RESTANTE_TEST_PGBOUNCER === '1' ? startSharedPgbouncer(postgresUrl) : undefined

/** The worker threads and the command line run from `dist`: it is built from the source under test. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const prefix = `restante_${randomBytes(4).toString('hex')}_`
  provide('schemaPrefix', prefix)
  await import(join(import.meta.dirname, '../frameworks/link.mjs'))
  useMemoryFolder()
  await build({ config: 'tsup.config.ts', dts: false, silent: true })
  const pooler = await startPooler()
  provide('poolerUrl', pooler?.url)
  return async () => {
    try {
      if (pooler) console.log(`${await pooler.transactions()} transactions went through PgBouncer.`)
    } finally {
      await pooler?.stop()
      await dropSchemas(prefix)
    }
  }
}
