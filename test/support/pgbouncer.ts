import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { freePort, untilListening } from '../../bench/ports.mjs'
import { findProgram, isMissing } from './program'

const folders = ['/usr/sbin', '/usr/bin']

export const pgbouncerIsMissing = (): boolean => isMissing('pgbouncer', folders)

/** A PgBouncer that runs. */
interface Pgbouncer {
  port: number
  stop(): Promise<void>
}

/**
 * Runs a PgBouncer in transaction mode: it hands each transaction to whichever connection is free, so that nothing may be
 * left behind on one.
 *
 * @param database A line of its section of databases.
 * @param settings Lines of its own section.
 * @param users Lines of its file of users.
 */
async function run(database: string, settings: readonly string[], users = ''): Promise<Pgbouncer> {
  const program = findProgram('pgbouncer', folders)
  if (!program) throw new Error('pgbouncer is not installed: apt-get install -y pgbouncer')
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'))
  await chmod(folder, 0o755)
  const port = await freePort()
  const lines = [
    '[databases]',
    database,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'pool_mode = transaction',
    'default_pool_size = 4',
    'max_client_conn = 2000',
    // It does not wait for 15 seconds where PostgreSQL was away.
    'server_login_retry = 1',
    'ignore_startup_parameters = options,extra_float_digits',
    `auth_file = ${join(folder, 'users.txt')}`,
    ...settings,
  ]
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, `${lines.join('\n')}\n`)
  await writeFile(join(folder, 'users.txt'), users)
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(program, ['-q', ...user, file], { stdio: 'ignore' })
  if (!(await untilListening(port, child))) throw new Error(`pgbouncer ended with ${child.exitCode}`)
  return {
    port,
    async stop() {
      child.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const hostOf = ({ hostname, port }: URL) => `host=${hostname} port=${port || 5432}`

/**
 * Runs a PgBouncer in front of a database until the test ends.
 *
 * @returns The URL of the same database through the pooler.
 */
export async function startPgbouncer(databaseUrl: string): Promise<string> {
  const direct = new URL(databaseUrl)
  const schema = /search_path=(\w+)/.exec(direct.searchParams.get('options') ?? '')?.[1] ?? 'public'
  const target = `${hostOf(direct)} dbname=${direct.pathname.slice(1)} user=${direct.username}`
  const database = `pooled = ${target} connect_query='set search_path to ${schema}'`
  // Who waits while PostgreSQL is away is told of it, which takes two minutes otherwise.
  const { port, stop } = await run(database, ['auth_type = any', 'query_wait_timeout = 5'])
  onTestFinished(stop)
  return `postgres://${direct.username}@127.0.0.1:${port}/pooled`
}

/** A PgBouncer in front of all databases and users of a PostgreSQL. */
interface SharedPgbouncer {
  url: string
  /** Says how many transactions went through it. */
  transactions(): Promise<number>
  stop(): Promise<void>
}

/** Runs a PgBouncer that lets everybody in whom PostgreSQL knows: as it trusts them, and each on connections of its own. */
export async function startSharedPgbouncer(databaseUrl: string): Promise<SharedPgbouncer> {
  const direct = new URL(databaseUrl)
  const { username, password } = direct
  const { port, stop } = await run(
    `* = ${hostOf(direct)} auth_user=${username}`,
    // Hundreds of schemas are used one after the other: their connections must not add up.
    ['auth_type = trust', `admin_users = ${username}`, 'server_idle_timeout = 2'],
    `"${username}" "${decodeURIComponent(password)}"\n`,
  )
  direct.host = `127.0.0.1:${port}`
  const adminUrl = new URL(direct)
  adminUrl.pathname = '/pgbouncer'
  return {
    url: direct.href,
    async transactions() {
      const client = new pg.Client({ connectionString: adminUrl.href })
      await client.connect()
      const { rows } = await client.query('show stats_totals')
      await client.end()
      return rows.reduce((sum, row) => sum + (row.database === 'pgbouncer' ? 0 : Number(row.xact_count)), 0)
    },
    stop,
  }
}
