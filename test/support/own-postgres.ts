import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from './free-port'
import { findProgram, isMissing } from './program'
import { untilListening } from './until-listening'

const versions = '/usr/lib/postgresql'

function programFolders(): string[] {
  try {
    return readdirSync(versions).map((version) => join(versions, version, 'bin'))
  } catch {
    return []
  }
}

export const postgresIsMissing = (): boolean => isMissing('initdb', programFolders())

/** A PostgreSQL of its own, to be stopped and started. */
export interface OwnPostgres extends AsyncDisposable {
  readonly url: string
  /** Stops it: `fast` ends every connection with a word, `immediate` without, as a crash does. */
  stop(mode: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
}

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const
/** It does not run as root: then as nobody. */
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined

async function letsIn(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  const connected = await client.connect().then(
    () => true,
    () => false,
  )
  await client.end().catch(() => {})
  return connected
}

/** Makes a PostgreSQL and starts it. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'))
  if (user) await chown(folder, user.uid, user.gid)
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let child: ChildProcess | undefined
  const run = (name: string, args: readonly string[]) =>
    spawn(findProgram(name, programFolders())!, args, { ...user, cwd: folder, stdio: 'ignore' })

  async function stop(mode: keyof typeof signals): Promise<void> {
    if (!child || child.exitCode !== null) return
    child.kill(signals[mode])
    await once(child, 'exit')
  }
  async function start(): Promise<void> {
    child = run('postgres', ['-D', folder, '-p', String(port), '-k', '', '-h', '127.0.0.1', '-F'])
    if (!(await untilListening(port, child))) throw new Error(`postgres ended with ${child.exitCode}`)
    // It listens before it lets anybody in.
    while (!(await letsIn(url))) await pause(20)
  }

  const made = run('initdb', [
    '-D',
    folder,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-locale',
    '-N',
  ])
  const [code] = await once(made, 'exit')
  if (code !== 0) throw new Error(`initdb ended with ${code}`)
  await start()
  return {
    url,
    stop,
    start,
    async [Symbol.asyncDispose]() {
      await stop('immediate')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
