import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { freePort } from './postfix'
import { findProgram, isMissing } from './program'
import { untilListening } from './until-listening'

const folders = ['/usr/sbin', '/usr/bin']

export const pgbouncerIsMissing = (): boolean => isMissing('pgbouncer', folders)

/**
 * Runs a PgBouncer in transaction mode in front of a database until the test ends: it hands each transaction to
 * whichever connection is free, so that nothing may be left behind on one.
 *
 * @returns The URL of the same database through the pooler.
 */
export async function startPgbouncer(databaseUrl: string): Promise<string> {
  const direct = new URL(databaseUrl)
  const schema = /search_path=(\w+)/.exec(direct.searchParams.get('options') ?? '')?.[1] ?? 'public'
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'))
  await chmod(folder, 0o755)
  const port = await freePort()
  const target = `host=${direct.hostname} port=${direct.port || 5432} dbname=${direct.pathname.slice(1)}`
  const lines = [
    '[databases]',
    `pooled = ${target} user=${direct.username} connect_query='set search_path to ${schema}'`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 4',
    'ignore_startup_parameters = options,extra_float_digits',
  ]
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, `${lines.join('\n')}\n`)
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(findProgram('pgbouncer', folders)!, ['-q', ...user, file], { stdio: 'ignore' })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  if (!(await untilListening(port, child))) throw new Error(`pgbouncer ended with ${child.exitCode}`)
  return `postgres://${direct.username}@127.0.0.1:${port}/pooled`
}
