// `npm run bench:nodes`: what 1, 2 and 3 nodes on one PostgreSQL take in, hand out and answer in a second, for many
// accounts and for one that is hot, and what a mail costs in processor time. Parameters: --nodes 3 --accounts 40
// --mails 2400 --calls 3000. Nodes, database and the load share the machine: with fewer cores than nodes compare what
// things cost, not how many there are in a second. What three programs cost more than one on such a machine, by caches and
// switches, is not ours: as many services that share nothing, each on a database of its own, are measured beside them.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createTransport } from 'nodemailer'
import { createDatabase, openAccounts, startBalancer, startNode } from './cluster.mjs'

const number = (fallback) => ({ type: 'string', default: String(fallback) })
const { values } = parseArgs({
  options: { nodes: number(3), accounts: number(40), mails: number(2_400), calls: number(3_000) },
})
const [most, many, mails, calls] = ['nodes', 'accounts', 'mails', 'calls'].map((name) => Number(values[name]))
const atOnce = 20
const consumer = 'bench'

/** Does so many of something, some at once; resolves with how many were done in a second. */
async function perSecond(times, work) {
  const startedMs = performance.now()
  let next = 0
  const worker = async () => {
    while (next < times) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return (times / (performance.now() - startedMs)) * 1_000
}

/** The processor time of a process so far; one that is gone has none. */
function cpuMs(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return 0
  }
}
const sum = (numbers) => numbers.reduce((all, one) => all + one, 0)

/** What is spent by the nodes, and by the connections of the database, while something is done. */
async function costOf(nodes, databases, work) {
  const mine = 'select pid from pg_stat_activity where datname = current_database()'
  const connections = async () =>
    (await Promise.all(databases.map(({ query }) => query(mine)))).flat().map(({ pid }) => pid)
  const before = new Map(
    [...nodes.map(({ pid }) => pid), ...(await connections())].map((pid) => [pid, cpuMs(pid)]),
  )
  const since = (pids) => sum(pids.map((pid) => cpuMs(pid) - (before.get(pid) ?? 0)))
  const done = await work()
  return { done, nodesMs: since(nodes.map(({ pid }) => pid)), databaseMs: since(await connections()) }
}

const mailTo = (to, name) =>
  [
    'From: Ana <ana@example.com>',
    `To: ${to}`,
    `Subject: Question ${name}`,
    `Message-ID: <${name}@example.com>`,
    `Date: ${new Date().toUTCString()}`,
    '',
    `Mail ${name}: ${'is it blue, or is it green? '.repeat(50)}`,
    '',
  ].join('\r\n')

/** Waits until the mail that came can be found by its words and its meaning: that is part of what it costs. */
async function untilFound({ query }) {
  const behind = `select 1 from accounts left join search_cursors using (tenant_id)
      where accounts.seq > coalesce(search_cursors.seq, 0)
    union all select 1 from jobs where queue = 'embeddings'`
  while ((await query(behind)).length > 0) await sleep(250)
}

const transportTo = (smtp, maxConnections) => {
  const [host, port] = smtp.split(':')
  const tls = { rejectUnauthorized: false }
  return createTransport({ host, port: Number(port), pool: true, maxConnections, maxMessages: 1e6, tls })
}

/** What these nodes do for these accounts; they are warmed by mail to others, since what an account has costs too. */
async function measure({ nodes, databases, others, name }, accounts) {
  const receivers = new Set(accounts.map(({ smtp }) => smtp))
  const transports = new Map(
    [...receivers].map((smtp) => [smtp, transportTo(smtp, Math.ceil(atOnce / receivers.size))]),
  )
  const allFound = () => Promise.all(databases.map(untilFound))
  const accountOf = (index, some = accounts) => some[index % some.length]
  async function call(account, path, body) {
    const headers = { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' }
    const method = body ? 'POST' : 'GET'
    const response = await fetch(account.url + path, { method, headers, body: body && JSON.stringify(body) })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    return response.status === 204 ? null : response.json()
  }
  const send = (index, kind, some) => {
    const { address: to, smtp } = accountOf(index, some)
    return transports.get(smtp).sendMail({
      envelope: { from: 'ana@example.com', to },
      raw: mailTo(to, `${name}-${kind}-${index}`),
    })
  }
  for (const account of accounts) await call(account, '/consumers', { name: consumer })
  // Each node until its code is compiled.
  await perSecond(800 * nodes.length, (index) => send(index, 'warm', others))
  await allFound()
  const taken = await costOf(nodes, databases, async () => {
    const rate = await perSecond(mails, (index) => send(index, 'mail'))
    await allFound()
    return rate
  })
  let handed = 0
  const leases = await perSecond(Math.ceil(mails / 5), async (index) => {
    const account = accountOf(index)
    const { deliveries } = await call(account, `/consumers/${consumer}/lease`, { max: 5, wait_ms: 0 })
    handed += deliveries.length
    const held = deliveries.map(({ lease }) => lease)
    if (held.length > 0) await call(account, `/consumers/${consumer}/ack`, { leases: held })
  })
  const read = await perSecond(calls, (index) => call(accountOf(index), '/messages?limit=10'))
  for (const transport of transports.values()) transport.close()
  return {
    'mails/s': Math.round(taken.done),
    'ms of nodes a mail': Number((taken.nodesMs / mails).toFixed(2)),
    'ms of database a mail': Number((taken.databaseMs / mails).toFixed(2)),
    'messages leased and acknowledged/s': Math.round((leases * handed) / Math.ceil(mails / 5)),
    'reads of a list/s': Math.round(read),
  }
}

/** So many nodes on a database of its own, so that none finds more than another; `accounts` know where they are. */
async function startNodes(count, accountsCount) {
  const database = await createDatabase()
  const [web, smtp] = [await startBalancer(), await startBalancer()]
  const nodes = []
  for (let at = 0; at < count; at += 1) {
    const node = await startNode(database.url)
    web.targets.add(new URL(node.facts.url).host)
    smtp.targets.add(node.facts.smtp)
    nodes.push(node)
  }
  const place = { url: `http://${web.address}/v1`, smtp: smtp.address }
  const accounts = await openAccounts(place.url, database, accountsCount)
  return {
    nodes,
    database,
    accounts: accounts.map((account) => ({ ...account, ...place })),
    async stop() {
      for (const node of nodes) await node.stop()
      for (const part of [web, smtp]) part.close()
      await database.drop()
    },
  }
}

/** What so many nodes do that share a database. */
async function together(count) {
  const { nodes, database, accounts, stop } = await startNodes(count, 2 * many + 1)
  const others = accounts.splice(many + 1)
  const place = { nodes, databases: [database], others }
  const figures = {
    [`${count} × many accounts`]: await measure({ ...place, name: 'many' }, accounts.slice(1)),
    [`${count} × one hot account`]: await measure({ ...place, name: 'hot' }, accounts.slice(0, 1)),
  }
  await stop()
  return figures
}

/** What so many services do that share nothing but the machine. */
async function apart(count) {
  const services = []
  for (let at = 0; at < count; at += 1) services.push(await startNodes(1, Math.ceil((2 * many) / count)))
  // One of each in turn, as a balancer would.
  const accounts = services[0].accounts.flatMap((_, at) => services.map((service) => service.accounts[at]))
  const place = {
    nodes: services.flatMap(({ nodes }) => nodes),
    databases: services.map(({ database }) => database),
    others: accounts.splice(many),
  }
  const figures = { [`${count} apart`]: await measure({ ...place, name: 'apart' }, accounts) }
  for (const { stop } of services) await stop()
  return figures
}

const all = {}
for (let count = 1; count <= most; count += 1) Object.assign(all, await together(count))
Object.assign(all, await apart(most))
console.table(all)
const costOfOne = (name) => all[name]['ms of nodes a mail'] + all[name]['ms of database a mail']
const times = (name, other) => (costOfOne(name) / costOfOne(other)).toFixed(2)
console.log(`with ${most} nodes a mail costs
  ${times(`${most} × many accounts`, '1 × many accounts')} times as much as with one
  ${times(`${most} × many accounts`, `${most} apart`)} times as much as with ${most} services that share nothing`)
process.exit(0)
