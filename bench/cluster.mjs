// Several nodes of the service on one PostgreSQL, behind a balancer, for what measures or kills them.
import { randomBytes } from 'node:crypto'
import { connect, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startProgram } from './processes.mjs'
import { signUp } from './sign-up.mjs'

const postgres = process.env.RESTANTE_TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/test'
const file = (name) => fileURLToPath(new URL(name, import.meta.url))

/** Makes a database of its own, and a connection to look into it. */
export async function createDatabase() {
  const name = `nodes_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: postgres })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const url = new URL(postgres)
  url.pathname = `/${name}`
  const pool = new pg.Pool({ connectionString: url.href, max: 4 })
  pool.on('error', () => {})
  return {
    url: url.href,
    query: async (sql, values) => (await pool.query(sql, values)).rows,
    async drop() {
      await pool.end()
      await admin.query(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}

/** Passes each connection to one of the nodes that take any, in turn: `targets` are their `host:port`, and may change. */
export async function startBalancer() {
  let next = 0
  let held = false
  const targets = new Set()
  const sockets = new Set()
  /** By socket, where its bytes go. */
  const flows = new Map()
  const flow = (from, to) => (held ? from.unpipe(to).pause() : from.pipe(to))

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
    pass(client, 0)
  })
  await new Promise((resolve) => balancer.listen(0, '127.0.0.1', resolve))
  return {
    targets,
    address: `127.0.0.1:${balancer.address().port}`,
    /** Breaks all connections. */
    cut() {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    /** Passes nothing on, without a word, until it is told to. */
    hold(isHeld) {
      held = isHeld
      for (const [from, to] of flows) flow(from, to)
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
