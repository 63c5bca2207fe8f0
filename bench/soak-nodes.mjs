// `npm run soak -- --nodes 3`: mail to 200 accounts comes in at several nodes on one PostgreSQL and is answered, while the
// nodes are killed with -9, one after the other, in turns drawn by lot. Parameters: --minutes 10 --rate 10 (mails a
// second) --accounts 200 --workers 2 --pause 5 (seconds between two faults, on average). --faults kill,freeze,… draws one
// for each turn; the names are in cluster-faults.mjs, and `all` means each of them. Those of NATS and of PostgreSQL itself
// start servers of their own. --skew 30 sets the clocks of two nodes of three so many seconds ahead and behind (needs
// libfaketime). --from FOLDER starts the nodes with another version, built in that folder; a node that was killed comes
// back with this one. --untimed judges nothing that a busy machine makes slow. RESTANTE_NATS_URL lets the nodes wake each
// other by NATS.
import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect, parseArgs } from 'node:util'
import { createDatabase, openAccounts, startBalancer, startNode } from './cluster.mjs'
import { nodeFaults, sharedFaults } from './cluster-faults.mjs'
import { percentile } from './figures.mjs'
import { startNats, startPostgres, startReplica } from './own-servers.mjs'
import { flood, mailOf } from './soak-flood.mjs'
import { createHandled, judge, readLog, settle } from './soak-judge.mjs'
import { startSink } from './soak-sink.mjs'

const number = (fallback) => ({ type: 'string', default: String(fallback) })
const { values } = parseArgs({
  options: {
    nodes: number(3),
    minutes: number(10),
    rate: number(10),
    accounts: number(200),
    workers: number(2),
    pause: number(5),
    faults: { type: 'string', default: 'kill' },
    skew: number(0),
    from: { type: 'string' },
    untimed: { type: 'boolean', default: false },
  },
})
const [count, minutes, rate, many, workers, pauseS] = [
  'nodes',
  'minutes',
  'rate',
  'accounts',
  'workers',
  'pause',
].map((name) => Number(values[name]))
const consumer = 'soak'
const maxRestMs = 2 * 60_000
const maxWebhookRestMs = 45_000
/** So long servers and endpoints take, so that a node that is killed leaves something under way. */
const remoteMs = 300
const maxLiveMs = 2_000
const maxTakeOverMs = 30_000
/** PostgreSQL ends a transaction in which a node hangs after 10 s. */
const maxRefusedMs = 12_000
const mails = Math.round(rate * minutes * 60)
const threads = many * 5
/** Accounts that have a webhook, and those whose consumer several workers share. */
const isHooked = (index) => index % 10 === 0
const isShared = (index) => index % 5 === 0

const known = { ...nodeFaults(), ...sharedFaults({}) }
const faults = values.faults === 'all' ? Object.keys(known) : values.faults.split(',')
const unknown = faults.filter((name) => !Object.hasOwn(known, name))
if (unknown.length > 0)
  throw new Error(`no such fault: ${unknown.join()}; there are ${Object.keys(known).join()}`)
const draws = (...names) => names.some((name) => faults.includes(name))
const servers = {}
if (draws('database-crash', 'failover')) servers.postgres = await startPostgres()
if (draws('failover')) servers.replica = await startReplica(servers.postgres)
if (draws('nats-kill', 'nats-cut', 'nats-silence')) servers.nats = await startNats()

const database = await createDatabase(servers.postgres?.url)
const sink = await startSink({ delayMs: remoteMs })
const web = await startBalancer()
const smtp = await startBalancer()
/** By message id, how often a webhook told of it. */
const reported = new Map()
const hooks = { fail: false }
const endpoint = createServer((request, response) => {
  if (hooks.fail) return void response.writeHead(500).end()
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => {
    const { data } = JSON.parse(body)
    reported.set(data.id, (reported.get(data.id) ?? 0) + 1)
    setTimeout(() => response.end(), remoteMs)
  })
})
await new Promise((resolve) => endpoint.listen(0, '127.0.0.1', resolve))

const placesOf = ({ facts }) => [
  [web, new URL(facts.url).host],
  [smtp, facts.smtp],
]
/** A wire of its own between one node and a server, which a fault may disturb. */
async function startWire(host) {
  const wire = await startBalancer()
  wire.targets.add(host)
  return wire
}

/** The settings that give a node a wrong clock: the second is ahead, the third behind, and so on. */
function clockOf(index) {
  if (!Number(values.skew) || index % 3 === 0) return {}
  const folders = ['/usr/lib/x86_64-linux-gnu/faketime', '/usr/lib/aarch64-linux-gnu/faketime']
  const library = folders.map((folder) => join(folder, 'libfaketimeMT.so.1')).find(existsSync)
  if (!library) throw new Error('--skew needs libfaketime (Debian: apt-get install faketime)')
  const FAKETIME = `${index % 3 === 1 ? '+' : '-'}${values.skew}`
  return { LD_PRELOAD: library, FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC: '1', DONT_FAKE_MONOTONIC: '1' }
}

async function joinNode(index, program) {
  const place = new URL(database.url)
  const wire = await startWire(place.host)
  place.host = wire.address
  const natsWire = servers.nats && (await startWire(servers.nats.host))
  const started = await startNode(
    place.href,
    {
      RESTANTE_DELIVERY: `smtp://127.0.0.1:${sink.port}`,
      RESTANTE_WEBHOOKS_ALLOW_PRIVATE: 'true',
      ...(natsWire && { RESTANTE_NATS_URL: `nats://${natsWire.address}` }),
      ...clockOf(index),
    },
    program,
  )
  const node = { ...started, index, wire, natsWire }
  for (const [balancer, place] of placesOf(node)) balancer.targets.add(place)
  return node
}

/** By Message-ID, at how many faults it was on its way. */
const inFlight = new Map()
const held = {
  deliveries: `select tenant_id || id || lease_token as lease, data::json ->> 'messageId' as message_id
    from jobs where lease_token is not null`,
  dispatches: `select tenant_id || id || lease_token as lease from webhook_dispatches where lease_token is not null`,
}
const takeOvers = { deliveries: [], dispatches: [] }
const watched = []

/** Waits until nobody holds what was held at a kill as it was held then. */
async function watchTakeOver(kind, leases, sinceMs) {
  while (leases.size > 0) {
    await sleep(250)
    const now = new Set((await database.query(held[kind])).map(({ lease }) => lease))
    for (const lease of leases) {
      if (now.has(lease)) continue
      leases.delete(lease)
      takeOvers[kind].push(Date.now() - sinceMs)
    }
  }
}

const happened = {}
/** When something was wrong that no healthy node can help: from and to, in ms. */
const outages = []

/** Notes what is on its way now, and watches until others hold it. */
async function noteInFlight(sinceMs) {
  for (const kind of ['deliveries', 'dispatches']) {
    const rows = await database.query(held[kind])
    watched.push(watchTakeOver(kind, new Set(rows.map(({ lease }) => lease)), sinceMs))
    for (const { message_id } of rows)
      if (message_id) inFlight.set(message_id, (inFlight.get(message_id) ?? 0) + 1)
  }
}

async function hurtNode(fault, at) {
  const node = nodes[at]
  await fault.begin(node)
  await noteInFlight(Date.now())
  for (const [balancer, place] of placesOf(node)) balancer.targets.delete(place)
  await sleep(fault.forMs)
  nodes[at] = (await fault.end(node)) ?? node
  await noteInFlight(Date.now())
  for (const [balancer, place] of placesOf(nodes[at])) balancer.targets.add(place)
}

async function hurtAll(fault) {
  const fromMs = Date.now()
  await noteInFlight(fromMs)
  await fault.begin()
  await sleep(fault.forMs)
  await fault.end()
  await noteInFlight(Date.now())
  outages.push([fromMs, Date.now() + maxRefusedMs])
}

async function hurt(at) {
  const name = faults[Math.floor(Math.random() * faults.length)]
  happened[name] = (happened[name] ?? 0) + 1
  console.error(`${new Date().toISOString().slice(11, 19)} ${name}`)
  if (Object.hasOwn(ofNode, name)) await hurtNode(ofNode[name], at)
  else await hurtAll(ofAll[name])
}

const { handled, onHandled } = createHandled()
const errors = new Map()
const lives = []
const polled = { times: 0 }
let mishaps = 0
let recognised = 0
const children = []
async function startWorker(index, keys) {
  const child = fork('bench/soak-worker.mjs', {
    execArgv: ['--expose-gc'],
    env: {
      ...process.env,
      SOAK_URL: url,
      SOAK_KEY: keys.join(),
      SOAK_CONSUMER: consumer,
      SOAK_KIND: index % 2 === 0 ? 'loop' : 'run',
    },
  })
  children.push(child)
  await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('a worker ended')))
    child.on('message', ({ ready, handled: one, replied, mishap, live, error }) => {
      if (ready) resolve()
      if (one) onHandled(one)
      if (replied?.idempotent) recognised += 1
      if (mishap) mishaps += 1
      if (live) lives.push(live.afterMs)
      if (live && live.source !== 'socket') polled.times += 1
      if (error) errors.set(error.slice(0, 160), (errors.get(error.slice(0, 160)) ?? 0) + 1)
    })
  })
}
const nodes = []
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  for (const node of nodes) void node.kill()
})

const former = values.from && join(values.from, 'bench/service.mjs')
for (let index = 0; index < count; index += 1) nodes.push(await joinNode(index, former))
const url = `http://${web.address}/v1`
const callOf =
  ({ apiKey }) =>
  async (path, body) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const method = body === undefined ? 'GET' : 'POST'
    const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) })
    if (!response.ok) throw new Error(await response.text())
    return response.json()
  }
const accounts = await openAccounts(url, database, many)
const ofNode = nodeFaults(joinNode)
const ofAll = sharedFaults({ servers, nodes, database, accounts, sink, hooks })
const hook = { url: `http://127.0.0.1:${endpoint.address().port}/`, events: ['message.received'] }
for (const account of accounts.filter((_, index) => isHooked(index))) await callOf(account)('/webhooks', hook)
await Promise.all(
  Array.from({ length: workers }, (_, worker) => {
    const mine = accounts.filter((_, index) => index % workers === worker || isShared(index))
    return startWorker(
      worker,
      mine.map(({ apiKey }) => apiKey),
    )
  }),
)

const startedMs = Date.now()
let flooding = true
const mailAt = (index) => {
  const to = accounts[(index % threads) % many].address
  return { to, raw: mailOf(index, threads, to) }
}
const endsAtMs = startedMs + minutes * 60_000
const flooded = flood({ smtp: smtp.address, mails, endsAtMs, mailAt }).finally(() => (flooding = false))
let round = []
while (flooding) {
  await sleep(pauseS * 1_000 * (0.6 + 0.8 * Math.random()))
  if (round.length === 0) round = nodes.map((_, at) => at)
  if (flooding) await hurt(round.splice(Math.floor(Math.random() * round.length), 1)[0])
}
const refusals = (await flooded).filter(
  ({ fromMs, toMs }) => !outages.some(([outFromMs, outToMs]) => fromMs < outToMs && toMs > outFromMs),
)
const refusedMs = Math.max(0, ...refusals.map(({ fromMs, toMs }) => toMs - fromMs))
const answered = () => new Set(sink.mails.map(({ answers }) => answers)).size
await settle(answered, mails, maxRestMs)
await Promise.race([Promise.all(watched), sleep(maxRestMs)])
const hooked = accounts.filter((_, index) => isHooked(index)).length
await settle(() => reported.size, Math.ceil((mails * hooked) / many), maxWebhookRestMs)

const stillHeld = async () =>
  (await Promise.all(Object.values(held).map((sql) => database.query(sql)))).flat().length
// What a node leased without learning of it is held until the lease ends.
for (let waitedMs = 0; waitedMs < maxTakeOverMs && (await stillHeld()) > 0; waitedMs += 500) await sleep(500)

const ids = new Map()
let dense = true
const untold = []
for (const [index, account] of accounts.entries()) {
  const log = await readLog(callOf(account))
  dense &&= log.dense
  for (const [id, messageId] of log.ids) {
    ids.set(id, messageId)
    if (isHooked(index) && !reported.has(id)) untold.push(id)
  }
}
for (const child of children) child.removeAllListeners('exit').kill('SIGKILL')
// By our own id: what was held at a kill is known by it, and what came to the sink by its Message-ID.
const sent = await database.query('select id, rfc822_message_id from messages where id = any($1)', [
  [...inFlight.keys()],
])
const byMessageId = new Map(sent.map(({ id, rfc822_message_id }) => [rfc822_message_id, inFlight.get(id)]))
const found = judge({ ids, handled, mails: sink.mails, inFlight: byMessageId })
const spread = (samples) => ({
  count: samples.length,
  p50: Math.round(percentile(samples, 0.5) ?? 0),
  p99: Math.round(percentile(samples, 0.99) ?? 0),
  max: Math.round(Math.max(0, ...samples)),
})
const report = {
  minutes: Number(((Date.now() - startedMs) / 60_000).toFixed(1)),
  nodes: count,
  accounts: many,
  faults: happened,
  // Above the number of cores, figures of time are those of what else ran.
  machineLoad: Math.round(loadavg()[1]),
  mails: ids.size,
  logsAreDense: dense,
  lost: mails - ids.size + found.unhandled.length + found.unanswered.length,
  answeredByTwoMails: found.answeredTwice.length,
  outOfOrderInAThread: found.disordered,
  sameMessageIdAgain: found.repeats.length,
  ofThemNotInFlightAtAKill: found.unexplained.length,
  handledMoreThanOnce: found.twiceHandled,
  bodiesThatThrew: mishaps,
  repliesThatWereKnown: recognised,
  eventsThatNoWebhookTold: untold.length,
  refusals: refusals.length,
  longestRefusalMs: refusedMs,
  liveAgainMs: spread(lives),
  liveAgainByPoll: polled.times,
  takenOverMs: { deliveries: spread(takeOvers.deliveries), dispatches: spread(takeOvers.dispatches) },
  stillHeld: await stillHeld(),
  errors: Object.fromEntries(errors),
}
console.log(inspect(report, { depth: null, breakLength: 120, compact: 5 }))
const isSlow =
  refusedMs > maxRefusedMs ||
  report.liveAgainMs.p99 > maxLiveMs ||
  Object.values(takeOvers)
    .flat()
    .some((tookMs) => tookMs > maxTakeOverMs)
const failed =
  !dense ||
  ids.size !== mails ||
  Object.keys(happened).length === 0 ||
  report.lost + report.answeredByTwoMails + report.outOfOrderInAThread > 0 ||
  report.ofThemNotInFlightAtAKill + report.eventsThatNoWebhookTold + report.stillHeld > 0 ||
  (errors.size > 0 && faults.join() === 'kill') ||
  (isSlow && !values.untimed)
for (const node of nodes) await node.stop()
for (const part of [
  web,
  smtp,
  endpoint,
  ...nodes.flatMap(({ wire, natsWire }) => (natsWire ? [wire, natsWire] : [wire])),
])
  part.close()
await sink.close()
await database.drop()
for (const server of Object.values(servers)) await server?.[Symbol.asyncDispose]()
console.log(failed ? 'FAILED' : 'passed')
process.exit(failed ? 1 : 0)
