// `npm run bench:nodes`: what 1, 2 and 3 nodes on one PostgreSQL take in, hand out and answer in a second, for many
// accounts and for one that is hot, and what a mail costs in processor time. Parameters: --nodes 3 --accounts 40
// --mails 2400 --calls 3000. Nodes, database and the load share the machine: with fewer cores than nodes compare what
// things cost, not how many there are in a second.
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
async function costOf(nodes, database, work) {
  const connections = async () =>
    (await database.query('select pid from pg_stat_activity where datname = current_database()')).map(
      ({ pid }) => pid,
    )
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
async function untilFound(database) {
  const behind = `select 1 from accounts left join search_cursors using (tenant_id)
      where accounts.seq > coalesce(search_cursors.seq, 0)
    union all select 1 from jobs where queue = 'embeddings'`
  while ((await database.query(behind)).length > 0) await sleep(250)
}

/** What so many nodes do for these accounts; they are warmed by mail to others, since what an account has costs too. */
async function measure({ url, smtp, nodes, database, others, name }, accounts) {
  const [host, port] = smtp.split(':')
  const tls = { rejectUnauthorized: false }
  const transport = createTransport({
    host,
    port: Number(port),
    pool: true,
    maxConnections: atOnce,
    maxMessages: 1e6,
    tls,
  })
  const accountOf = (index, some = accounts) => some[index % some.length]
  async function call(account, path, body) {
    const headers = { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' }
    const method = body ? 'POST' : 'GET'
    const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    return response.status === 204 ? null : response.json()
  }
  const send = (index, kind, some) => {
    const to = accountOf(index, some).address
    return transport.sendMail({
      envelope: { from: 'ana@example.com', to },
      raw: mailTo(to, `${name}-${kind}-${index}`),
    })
  }
  for (const account of accounts) await call(account, '/consumers', { name: consumer })
  // Each node until its code is compiled.
  await perSecond(800 * nodes.length, (index) => send(index, 'warm', others))
  await untilFound(database)
  const taken = await costOf(nodes, database, async () => {
    const rate = await perSecond(mails, (index) => send(index, 'mail'))
    await untilFound(database)
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
  transport.close()
  return {
    'mails/s': Math.round(taken.done),
    'ms of nodes a mail': Number((taken.nodesMs / mails).toFixed(2)),
    'ms of database a mail': Number((taken.databaseMs / mails).toFixed(2)),
    'messages leased and acknowledged/s': Math.round((leases * handed) / Math.ceil(mails / 5)),
    'reads of a list/s': Math.round(read),
  }
}

/** The same on a database of its own, so that no number of nodes finds more than another. */
async function withNodes(count) {
  const database = await createDatabase()
  const [web, smtp] = [await startBalancer(), await startBalancer()]
  const nodes = []
  for (let at = 0; at < count; at += 1) {
    const node = await startNode(database.url)
    web.targets.add(new URL(node.facts.url).host)
    smtp.targets.add(node.facts.smtp)
    nodes.push(node)
  }
  const url = `http://${web.address}/v1`
  const accounts = await openAccounts(url, database, 2 * many + 1)
  const others = accounts.splice(many + 1)
  const place = { url, smtp: smtp.address, nodes, database, others }
  const figures = {
    [`${count} × many accounts`]: await measure({ ...place, name: 'many' }, accounts.slice(1)),
    [`${count} × one hot account`]: await measure({ ...place, name: 'hot' }, accounts.slice(0, 1)),
  }
  for (const node of nodes) await node.stop()
  for (const part of [web, smtp]) part.close()
  await database.drop()
  return figures
}

const all = {}
for (let count = 1; count <= most; count += 1) Object.assign(all, await withNodes(count))
console.table(all)
const costAt = (count) => {
  const figures = all[`${count} × many accounts`]
  return figures['ms of nodes a mail'] + figures['ms of database a mail']
}
console.log(
  `a mail costs ${(costAt(most) / costAt(1)).toFixed(2)} times as much with ${most} nodes as with one`,
)
process.exit(0)
