// A PostgreSQL, a replica of it and a NATS server that a soak or a test may crash.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { appendFile, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort, untilListening } from './ports.mjs'

const versions = '/usr/lib/postgresql'
/** PostgreSQL does not run as root. */
const user = process.getuid() === 0 ? { uid: 65534, gid: 65534 } : {}

/** Folders of PostgreSQL's own programs: Debian does not put them on the path. */
export const postgresFolders = existsSync(versions)
  ? readdirSync(versions).map((version) => join(versions, version, 'bin'))
  : []
const paths = (process.env.PATH ?? '').split(':')
const find = (name, folders) => folders.map((folder) => join(folder, name)).find(existsSync)
const postgresProgram = (name) => find(name, [...paths, ...postgresFolders]) ?? name

async function createFolder(prefix) {
  const folder = await mkdtemp(join(tmpdir(), prefix))
  if (user.uid) await chown(folder, user.uid, user.gid)
  return folder
}

const isRunning = ({ exitCode, signalCode }) => exitCode === null && signalCode === null

const children = new Set()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** Starts a program that ends with this process. */
function launch(path, args, options) {
  const child = spawn(path, args, options)
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** Ends a program at once. */
async function end(child, signal) {
  if (!isRunning(child)) return
  child.kill(signal)
  await once(child, 'exit')
}

async function run(name, args) {
  const child = spawn(postgresProgram(name), args, { ...user, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${name} ended with ${code}`)
}

async function query(connectionString, sql) {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  return client.query(sql).finally(() => client.end())
}

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' }

/** One PostgreSQL server on a folder that initdb or pg_basebackup made. */
async function serve(folder) {
  const port = await freePort()
  const host = `127.0.0.1:${port}`
  const url = `postgres://postgres@${host}/postgres`
  let child
  async function start() {
    const args = ['-D', folder, '-p', String(port), '-k', '', '-h', '127.0.0.1', '-F']
    child = launch(postgresProgram('postgres'), args, { ...user, cwd: folder, stdio: 'ignore' })
    if (!(await untilListening(port, child))) throw new Error(`postgres ended with ${child.exitCode}`)
    // It listens before it lets anybody in.
    while (!(await query(url, 'select 1').catch(() => null))) await sleep(20)
  }
  await start()
  return {
    host,
    url,
    start,
    stop: (mode) => end(child, signals[mode]),
    async [Symbol.asyncDispose]() {
      await end(child, signals.immediate)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a PostgreSQL of its own. */
export async function startPostgres() {
  const folder = await createFolder('postgres-')
  await run('initdb', ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N'])
  await appendFile(join(folder, 'postgresql.conf'), '\nmax_connections = 200\n')
  return serve(folder)
}

/** Starts a replica that has each commit before `primary` answers it. */
export async function startReplica(primary) {
  const folder = await createFolder('replica-')
  const { hostname, port } = new URL(primary.url)
  await run('pg_basebackup', [
    '-D',
    folder,
    '-h',
    hostname,
    '-p',
    port,
    '-U',
    'postgres',
    '-R',
    '-X',
    'stream',
  ])
  const replica = await serve(folder)
  await query(primary.url, `alter system set synchronous_standby_names = '*'`)
  await query(primary.url, 'select pg_reload_conf()')
  return {
    ...replica,
    /** Makes it the primary. */
    async promote() {
      await query(replica.url, `alter system set synchronous_standby_names = ''`)
      await query(replica.url, 'select pg_promote()')
    },
  }
}

/** The path of nats-server; undefined where it is not installed. */
export const natsProgram = find('nats-server', [...paths, '/usr/sbin'])

/** Starts a NATS server of its own. */
export async function startNats() {
  const port = await freePort()
  let child
  async function start() {
    child = launch(natsProgram, ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
    if (!(await untilListening(port, child))) throw new Error('nats-server did not start')
  }
  const stop = () => end(child, 'SIGKILL')
  await start()
  const host = `127.0.0.1:${port}`
  return { host, url: `nats://${host}`, start, stop, [Symbol.asyncDispose]: stop }
}
