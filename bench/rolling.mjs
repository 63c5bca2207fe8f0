// node bench/rolling.mjs [--nodes 3] [--rate 20] [--drain 3]   (after npm run build)
// Nodes of this version are replaced one after the other by nodes of the next one, which adds to the tables, while agents
// ask, mail comes in and sockets are open. A balancer asks each node every half second whether it is ready.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createTransport } from 'nodemailer'
import { Mailbox } from 'restante'
import { createDatabase, openAccounts, startBalancer, startNode } from './cluster.mjs'
import { percentile } from './figures.mjs'
import { buildNextVersion } from './next-version.mjs'

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '3' },
    rate: { type: 'string', default: '20' },
    drain: { type: 'string', default: '3' },
  },
})
const [count, rate, drain] = ['nodes', 'rate', 'drain'].map((name) => Number(values[name]))
const env = { RESTANTE_DRAIN_SECONDS: String(drain) }
const many = 20
const checkMs = 500

const next = await buildNextVersion()
const database = await createDatabase()
const web = await startBalancer()
const smtp = await startBalancer()
const nodes = new Set()

async function check(node) {
  const { url, smtp: place } = node.facts
  const ready = await fetch(url.replace('/v1', '/readyz'), { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
  const change = ready && nodes.has(node) ? 'add' : 'delete'
  web.targets[change](new URL(url).host)
  smtp.targets[change](place)
}
const checks = setInterval(() => void Promise.all([...nodes].map(check)), checkMs)
async function join(program) {
  const node = await startNode(database.url, env, program)
  nodes.add(node)
  await check(node)
  return node
}
async function leave(node) {
  const askedMs = performance.now()
  await node.stop()
  nodes.delete(node)
  await check(node)
  return performance.now() - askedMs
}

const reported = (what) => process.env.VERBOSE && console.error(new Date().toISOString(), what)
const old = []
while (old.length < count) old.push(await join())
reported('nodes run')
const url = `http://${web.address}/v1`
const accounts = await openAccounts(url, database, many)
const mailboxes = await Promise.all(accounts.map(({ apiKey }) => Mailbox.open({ url, apiKey })))
reported('mailboxes are open')
const heard = new Set()
const stales = []
for (const mailbox of mailboxes) {
  let lostMs
  mailbox.on('event', ({ type, data }) => type === 'message.received' && heard.add(data.rfc822_message_id))
  mailbox.on('state', ({ status }) => {
    if (status === 'stale') lostMs ??= performance.now()
    else if (status === 'live' && lostMs !== undefined) stales.push(performance.now() - lostMs)
    if (status === 'live') lostMs = undefined
  })
}

let running = true
const counted = () => ({ done: 0, failed: new Map() })
const tally = { agents: counted(), bare: counted(), mails: counted() }
const fail = ({ failed }, why) => failed.set(why, (failed.get(why) ?? 0) + 1)
/** Does something at an even pace, whatever became of what was done before. */
async function drive(name, perSecond, work) {
  const pending = new Set()
  const startedMs = performance.now()
  for (let at = 0; running; at += 1) {
    const dueMs = startedMs + (at * 1_000) / perSecond
    if (dueMs > performance.now()) await sleep(dueMs - performance.now())
    const one = work(at).then(
      () => (tally[name].done += 1),
      (error) => fail(tally[name], String(error.cause?.code ?? error.code ?? error.message).slice(0, 80)),
    )
    pending.add(one)
    void one.then(() => pending.delete(one))
  }
  await Promise.all(pending)
}
/** A request of our client, which repeats what failed; every fourth one sends. */
async function askAsAgent(at) {
  const mailbox = mailboxes[at % many]
  if (at % 4 === 0) await mailbox.send({ to: ['bo@example.com'], subject: `Rolling ${at}`, text: 'Hello' })
  else await mailbox.messages.list({ limit: 5 })
}
/** A request of somebody who repeats nothing, over whatever connections fetch keeps. */
async function askBare(at) {
  const headers = { authorization: `Bearer ${accounts[at % many].apiKey}` }
  const response = await fetch(`${url}/messages?limit=5`, { headers })
  await response.text()
  if (!response.ok) throw new Error(`status ${response.status}`)
}
const sent = new Set()
const [host, port] = smtp.address.split(':')
const transport = createTransport({ host, port: Number(port), ignoreTLS: true })
/** One mail by a connection of its own, tried again as senders do until it is taken. */
async function mail(at) {
  const { address } = accounts[at % many]
  const id = `<rolling-${at}@example.com>`
  const raw = `From: Ana <ana@example.com>\r\nTo: ${address}\r\nSubject: Mail ${at}\r\nMessage-ID: ${id}\r\n\r\nHello\r\n`
  for (;;) {
    try {
      await transport.sendMail({ envelope: { from: 'ana@example.com', to: address }, raw })
      return void sent.add(id)
    } catch (error) {
      fail(tally.mails, String(error.responseCode ?? error.code))
      await sleep(500)
    }
  }
}

const driving = [
  drive('agents', rate, askAsAgent),
  drive('bare', rate, askBare),
  drive('mails', rate / 4, mail),
]
await sleep(3_000)
const took = []
for (const node of old) {
  await join(next.program)
  reported('the next joined')
  took.push(await leave(node))
  reported('one left')
  await sleep(2_000)
}
const starts = await startNode(database.url, env).then(
  (node) => node.stop().then(() => true),
  () => false, // it said why on standard error
)
running = false
await Promise.all(driving)
for (let waits = 0; heard.size < sent.size && waits < 60; waits += 1) await sleep(500)
const [{ steps }] = await database.query('select max(name) as steps from kysely_migration')

const shown = ({ done, failed }) => `${done} done, ${JSON.stringify(Object.fromEntries(failed))} failed`
console.log(`${count} nodes replaced one after the other; the tables are at ${steps}`)
console.log(
  `a node took ${took.map((ms) => `${(ms / 1_000).toFixed(1)} s`).join(', ')} to end, ${drain} s of it drained`,
)
console.log(`requests of our client: ${shown(tally.agents)}`)
console.log(`requests of a client that repeats nothing: ${shown(tally.bare)}`)
console.log(
  `mails taken: ${sent.size}; tries of senders that were put off: ${JSON.stringify(Object.fromEntries(tally.mails.failed))}`,
)
console.log(`mails that mailboxes heard of: ${heard.size}`)
console.log(
  `mailboxes were without the service ${stales.length} times, p50 ${percentile(stales, 0.5)?.toFixed(0)} ms, p99 ${percentile(stales, 0.99)?.toFixed(0)} ms`,
)
console.log(`a node of the version before ${starts ? 'starts' : 'does not start'} on these tables`)

clearInterval(checks)
for (const mailbox of mailboxes) await mailbox.close()
for (const node of nodes) await node.stop()
for (const part of [web, smtp]) part.close()
await database.drop()
await next.remove()
const failed =
  starts ||
  tally.agents.failed.size > 0 ||
  tally.bare.failed.size > 0 ||
  heard.size !== sent.size ||
  steps !== '9999-next'
console.log(failed ? 'FAILED' : 'passed')
process.exit(failed ? 1 : 0)
