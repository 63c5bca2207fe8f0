// Databases that a bench of search fills and drops again.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

const postgres = process.env.RESTANTE_TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** A folder of its own. */
export async function openSqlite() {
  const data = await mkdtemp(join(tmpdir(), 'restante-search-'))
  return { options: { data }, drop: () => rm(data, { recursive: true }) }
}

/** A schema of its own on the server at `url`. */
export async function openPostgres(url = postgres) {
  const schema = `bench_${randomBytes(6).toString('hex')}`
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  await pool.query(`create schema ${schema}`)
  const databaseUrl = `${url}?options=${encodeURIComponent(`-c search_path=${schema}`)}`
  return {
    options: { databaseUrl, secret: 'a secret of the bench' },
    async drop() {
      await pool.query(`drop schema ${schema} cascade`)
      await pool.end()
    },
  }
}
