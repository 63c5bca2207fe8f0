import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Kysely, sql } from 'kysely'
import type { Home, ServiceOptions } from 'restante/service'
import { createFileBlobs } from '../../src/service/store/blobs'
import { migrate } from '../../src/service/store/migrate'
import { allSteps } from '../../src/service/store/migrations'
import type { Database } from '../../src/service/store/tables/schema'
import { openBeside } from './open-beside'

type Cell = string | number | null | { base64: string }

/** What `record-database.mjs` wrote of an earlier version. */
export interface RecordedDatabase {
  madeAt: string
  secret: string
  /** The steps that its tables had gone through. */
  steps: string[]
  facts: {
    home: Home
    agent: { key: string; address: string; claim_url: string }
    goneAddress: string
    uploadId: string
    laterId: string
    sentId: string
    plainId: string
    operator: { email: string; password: string }
    claimed: { key: string; accountId: string }
  }
  /** What the interface answered, by path. */
  answers: Record<string, unknown>
  tables: Record<string, Record<string, Cell>[]>
  blobs: Record<string, string>
}

export const readRecord = (name: string): RecordedDatabase =>
  JSON.parse(gunzipSync(readFileSync(join(import.meta.dirname, '../fixtures', name))).toString())

const contentOf = (cell: Cell) =>
  cell !== null && typeof cell === 'object' ? Buffer.from(cell.base64, 'base64') : cell

/** The tables as they are after these steps, and no further. */
async function makeTables(options: ServiceOptions, names: readonly string[]): Promise<void> {
  const steps = Object.fromEntries(names.map((name) => [name, allSteps[name]!]))
  const db = await openBeside(options)
  await migrate(db, options.databaseUrl ? 'postgres' : 'sqlite', steps).finally(() => db.destroy())
}

async function fill(db: Kysely<Database>, { tables }: RecordedDatabase): Promise<void> {
  for (const [name, rows] of Object.entries(tables))
    for (const row of rows) {
      const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)))
      const values = sql.join(Object.values(row).map(contentOf))
      await sql`insert into ${sql.table(name)} (${columns}) values (${values})`.execute(db)
    }
}

/** The database as the earlier version left it. */
export async function loadRecord(options: ServiceOptions, record: RecordedDatabase): Promise<void> {
  await makeTables(options, record.steps)
  const db = await openBeside(options)
  await fill(db, record).finally(() => db.destroy())
  if (options.data === undefined) return
  const blobs = createFileBlobs(join(options.data, 'blobs'))
  for (const [hash, content] of Object.entries(record.blobs))
    await blobs.write(hash, Buffer.from(content, 'base64'))
}
