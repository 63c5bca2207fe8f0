// A PostgreSQL, a replica of it and a NATS server that a soak may crash.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { appendFile, chown, mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const versions = '/usr/lib/postgresql'
/** PostgreSQL does not run as root. */
const user = process.getuid() === 0 ? { uid: 65534, gid: 65534 } : {}

/** The path of a program of PostgreSQL; Debian does not put all of them on the path. */
function postgresProgram(name) {
  const folders = existsSync(versions) ? readdirSync(versions) : []
  const found = folders.map((version) => join(versions, version, 'bin', name)).filter(existsSync)
  return found.at(-1) ?? name
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

async function createFolder(prefix) {
  const folder = await mkdtemp(join(tmpdir(), prefix))
  if (user.uid) await chown(folder, user.uid, user.gid)
  return folder
}

const isRunning = ({ exitCode, signalCode }) => exitCode === null && signalCode === null

/** Starts a program that ends with this process. */
function launch(path, args, options) {
  const child = spawn(path, args, options)
  process.once('exit', () => child.kill('SIGKILL'))
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

/** One PostgreSQL server on a folder that initdb or pg_basebackup made. */
async function serve(folder) {
  const port = await freePort()
  const host = `127.0.0.1:${port}`
  const url = `postgres://postgres@${host}/postgres`
  let child
  async function start() {
    const args = ['-D', folder, '-p', String(port), '-k', '', '-h', '127.0.0.1']
    child = launch(postgresProgram('postgres'), args, { ...user, stdio: 'ignore' })
    while (!(await query(url, 'select 1').catch(() => null))) {
      if (!isRunning(child)) throw new Error(`postgres ended with ${child.exitCode}`)
      await sleep(50)
    }
  }
  await start()
  return {
    host,
    url,
    start,
    /** Stops it as a crash does, without a word to anybody. */
    crash: () => end(child, 'SIGQUIT'),
    async remove() {
      await end(child, 'SIGQUIT')
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

/** Starts a NATS server with JetStream of its own. */
export async function startNats() {
  const folder = await mkdtemp(join(tmpdir(), 'nats-'))
  const port = await freePort()
  const listens = () =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
  let child
  async function start() {
    child = launch('nats-server', ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder], {
      stdio: 'ignore',
    })
    while (!(await listens())) await sleep(50)
  }
  await start()
  return {
    host: `127.0.0.1:${port}`,
    start,
    kill: () => end(child, 'SIGKILL'),
    async remove() {
      await end(child, 'SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
