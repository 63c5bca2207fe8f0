// Several nodes of the service on one PostgreSQL, behind a balancer, for what measures or kills them.
import { randomBytes } from 'node:crypto'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startProgram } from './processes.mjs'
import { signUp } from './sign-up.mjs'

const postgres = process.env.RESTANTE_TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/test'
const maxTries = 240
const file = (name) => fileURLToPath(new URL(name, import.meta.url))

/** Makes a database of its own, and a connection to look into it. */
export async function createDatabase(server = postgres) {
  const name = `nodes_${randomBytes(6).toString('hex')}`
  const once = async (sql) => {
    const admin = new pg.Client({ connectionString: server })
    await admin.connect()
    await admin.query(sql).finally(() => admin.end())
  }
  await once(`create database ${name}`)
  const poolAt = (place) => {
    const url = new URL(place)
    url.pathname = `/${name}`
    const pool = new pg.Pool({ connectionString: url.href, max: 4 })
    pool.on('error', () => {})
    return { url: url.href, pool }
  }
  let { url, pool } = poolAt(server)
  return {
    get url() {
      return url
    },
    /** Asks again while the server is away, and another takes over. */
    async query(sql, values) {
      for (let tries = 1; ; tries += 1) {
        try {
          return (await pool.query(sql, values)).rows
        } catch (error) {
          const isRefused = error.code?.length === 5 && !/^(?:57P|08)/.test(error.code)
          if (isRefused || tries === maxTries) throw error
          await sleep(250)
        }
      }
    },
    /** The same database on the server that took over. */
    moveTo(place) {
      void pool.end()
      ;({ url, pool } = poolAt(place))
    },
    /** Holds the row of an account until the function that it returns is called. */
    async holdRow(address) {
      const client = await pool.connect()
      client.on('error', () => {})
      await client.query('begin')
      await client.query(
        'select 1 from accounts join inboxes using (tenant_id) where address = $1 for no key update of accounts',
        [address],
      )
      return () => client.query('rollback').finally(() => client.release())
    },
    async drop() {
      await pool.end()
      if (url.startsWith(server)) await once(`drop database ${name} with (force)`)
    },
  }
}

/** Passes each connection to one of the nodes that take any, in turn: `targets` are their `host:port`, and may change. */
export async function startBalancer() {
  let next = 0
  let mode = 'passes'
  const targets = new Set()
  const sockets = new Set()
  /** By socket, where its bytes go. */
  const flows = new Map()
  const answering = new WeakSet()
  const flow = (from, to) => {
    if (mode === 'holds') from.unpipe(to).pause()
    else if (mode === 'loses answers' && answering.has(from)) from.unpipe(to).resume()
    else from.pipe(to)
  }

  function pass(client, tried) {
    const places = [...targets]
    if (tried >= places.length || client.destroyed) return void client.destroy()
    const [host, port] = places[next++ % places.length].split(':')
    const server = connect(Number(port), host).setNoDelay()
    server.once('error', () => {
      if (server.bytesRead + server.bytesWritten === 0) pass(client, tried + 1)
      else client.destroy()
    })
    server.once('connect', () => {
      answering.add(server)
      for (const [from, to] of [
        [client, server],
        [server, client],
      ]) {
        flows.set(from, to)
        flow(from, to)
        from.on('close', () => flows.delete(from) && to.destroy())
        from.on('error', () => to.destroy())
      }
    })
  }

  const balancer = createServer((client) => {
    sockets.add(client)
    client.setNoDelay().on('close', () => sockets.delete(client))
    client.on('error', () => {})
    if (mode === 'refuses') client.resetAndDestroy()
    else pass(client, 0)
  })
  await new Promise((resolve) => balancer.listen(0, '127.0.0.1', resolve))
  /** Breaks all connections. */
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    targets,
    address: `127.0.0.1:${balancer.address().port}`,
    cut,
    /**
     * Decides what becomes of the bytes: `passes`; `holds` passes nothing on; `loses answers` passes only what clients
     * say; `refuses` breaks all connections, and new ones.
     */
    behave(next) {
      const hasLost = mode === 'loses answers'
      mode = next
      // A connection that has lost bytes is of no use.
      if (mode === 'refuses' || hasLost) cut()
      else for (const [from, to] of flows) flow(from, to)
    },
    close() {
      balancer.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Starts one node, of another version where its program is named; `env` are its settings. */
export const startNode = (databaseUrl, env, program = file('service.mjs')) =>
  startProgram([program, '-', databaseUrl], { RESTANTE_REQUESTS_PER_MINUTE: '1000000', ...env })

/** Signs agents up, and lets them send as if humans had claimed them. */
export async function openAccounts(url, { query }, count) {
  const accounts = []
  while (accounts.length < count)
    accounts.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(20, count - accounts.length) }, () => signUp(url)),
      )),
    )
  await query(`update accounts set onboarding_state = 'claimed', plan = 'unlimited', unclaimed_expires_at = null,
    claimed_at = created_at, sending_enabled_at = created_at`)
  return accounts
}
