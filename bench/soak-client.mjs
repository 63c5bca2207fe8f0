// `npm run soak -- --client`: a mailbox lives behind a proxy that refuses, cuts, freezes, redirects, delays and answers by
// itself, at random, while the wall clock of its process jumps by an hour. Every message must be handled and answered
// once, and its state must be right again within 45 s of each fault. Parameters: --minutes 10 --each-second 2 --seed 4525
// --source auto
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect, parseArgs } from 'node:util'
import { createTransport } from 'nodemailer'
import { page, startFaultyProxy } from './faulty-proxy.mjs'
import { startProgram } from './processes.mjs'

const { values } = parseArgs({
  options: {
    client: { type: 'boolean' },
    minutes: { type: 'string', default: '10' },
    'each-second': { type: 'string', default: '2' },
    seed: { type: 'string', default: '4525' },
    source: { type: 'string', default: 'auto' },
  },
})
const minutes = Number(values.minutes)
const eachSecond = Number(values['each-second'])
/** Time in which the state has to be right after a fault. */
const maxWrongMs = 45_000
const maxRestMs = 6 * 60_000
const hourMs = 3_600_000

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
function seeded(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
const random = seeded(Number(values.seed))
const oneOf = (list) => list[Math.floor(random() * list.length)]
const between = (from, to) => from + random() * (to - from)

/** The wall clock of this process, which somebody sets. The service has a process of its own. */
const realNow = Date.now
let setByMs = 0
Date.now = () => realNow() + setByMs

const data = await mkdtemp(join(tmpdir(), 'restante-soak-'))
const { facts, stop } = await startProgram([
  ...[
    'dist/cli.js',
    'dev',
    '--json',
    '--data',
    data,
    '--delivery',
    'capture',
    '--requests-per-minute',
    '1000000',
  ],
  ...['--http', '127.0.0.1:0', '--smtp', '127.0.0.1:0'],
])
const service = facts.url.replace(/\/v1$/, '')
const proxy = await startFaultyProxy(service)
const call = async (path) => {
  const response = await fetch(`${service}/v1${path}`, {
    headers: { authorization: `Bearer ${facts.api_key}` },
  })
  if (!response.ok) throw new Error(`the service answered ${response.status} to ${path}`)
  return response.json()
}

const rejections = []
process.on('unhandledRejection', (error) => rejections.push(error))
process.on('uncaughtException', (error) => rejections.push(error))

/** How often each message was handled, by each way to receive it. */
const handled = { run: new Map(), incoming: new Map(), listener: new Map() }
const count = (way, id) => handled[way].set(id, (handled[way].get(id) ?? 0) + 1)
const errors = new Map()
/** Errors of the handler, by message. */
const failures = new Map()
const note = ({ code }) => errors.set(code, (errors.get(code) ?? 0) + 1)

const { Mailbox } = await import('restante')
const mailbox = await Mailbox.open({ url: proxy.url, apiKey: facts.api_key, source: values.source })
mailbox.on('error', note)
mailbox.on('message', ({ id }) => count('listener', id))
const run = mailbox.run(
  async (message) => {
    await message.reply({ text: `Answer to ${message.subject}` })
    count('run', message.id)
  },
  {
    ...{ consumer: 'soak', concurrency: 5 },
    onError: ({ code }, { id }) => failures.set(id, [...(failures.get(id) ?? []), code]),
  },
)
let loopEnded = null
const looping = (async () => {
  for await (const { id } of mailbox.incoming()) count('incoming', id)
})().catch((error) => (loopEnded = error))
let runEnded = null
run.done.then(
  () => (runEnded ??= 'it ended'),
  (error) => (runEnded = error),
)

const pages = (...make) => ({ begin: () => proxy.behave(() => ({ page: page(...make) })) })
const faults = {
  401: pages(401),
  403: pages(403),
  404: pages(404),
  429: pages(429, { 'retry-after': '5' }),
  500: pages(500),
  502: pages(502),
  503: pages(503, { 'retry-after': '3' }),
  524: pages(524),
  portal: pages(200),
  redirect: pages(302, { location: 'http://portal.example/login' }),
  'some requests': {
    begin: () =>
      proxy.behave(() => (random() < 0.5 ? { page: page(oneOf([401, 403, 429, 502])) } : undefined)),
  },
  'no upgrades': { begin: () => proxy.behave(({ isUpgrade }) => isUpgrade && { page: page(400) }) },
  cuts: { begin: () => proxy.behave(() => ({ cuts: true })) },
  'cut answers': { begin: () => proxy.behave(() => (random() < 0.5 ? { cutsAnswer: true } : undefined)) },
  'short answers': { begin: () => proxy.behave(() => (random() < 0.5 ? { maxBytes: 40 } : undefined)) },
  'sockets die young': { begin: () => proxy.behave(() => ({ cutsAfterMs: 200 })) },
  hangs: { begin: () => proxy.behave(() => ({ hangs: true })) },
  freezes: {
    begin: () => {
      proxy.freeze()
      proxy.behave(() => ({ hangs: true }))
    },
  },
  buffers: { begin: () => proxy.behave(() => ({ delayMs: between(500, 4_000) })) },
}

const startedMs = performance.now()
const endsAtMs = startedMs + minutes * 60_000
const isOver = () => performance.now() >= endsAtMs
const [host, port] = facts.smtp.split(':')
const transport = createTransport({
  host,
  port: Number(port),
  pool: true,
  tls: { rejectUnauthorized: false },
})
const sent = new Set()
async function send() {
  for (let number = 0; !isOver(); number += 1) {
    const subject = `Message ${number}`
    await transport.sendMail({
      from: `p${number % 50}@example.com`,
      to: facts.address,
      subject,
      text: 'Is it?',
    })
    sent.add(subject)
    await sleep((between(0, 2) * 1_000) / eachSecond)
  }
}

const jumps = []
async function jump() {
  while (!isOver()) {
    await sleep(between(5_000, 20_000))
    setByMs = oneOf([-hourMs, 0, hourMs].filter((one) => one !== setByMs))
    jumps.push(setByMs / hourMs)
  }
}

const headOf = async () => (await call('/events?after=now')).head
const wrong = []
/** The mailbox may not claim for long to be live while it has not what the service has. */
async function watch() {
  let behindSinceMs = null
  while (!isOver()) {
    await sleep(1_000)
    const head = await headOf()
    await sleep(1_000)
    const { status, cursor } = mailbox.state
    if (status === 'closed') return void wrong.push('closed')
    if (status !== 'live' || cursor >= head) behindSinceMs = null
    else behindSinceMs ??= performance.now()
    if (behindSinceMs !== null && performance.now() - behindSinceMs > maxWrongMs) {
      wrong.push(`live, but at ${cursor} of ${head}`)
      behindSinceMs = null
    }
  }
}

/** Waits until the mailbox is live and has what the service had when the fault ended. */
async function recovered(name) {
  const head = await headOf()
  const sinceMs = performance.now()
  const isRight = () => mailbox.state.status === 'live' && mailbox.state.cursor >= head
  while (!isRight()) {
    if (performance.now() - sinceMs > maxWrongMs) {
      const { status, cursor, error } = mailbox.state
      wrong.push(`${status} at ${cursor} of ${head}, 45 s after ${name}: ${error?.message}`)
      return maxWrongMs
    }
    await sleep(20)
  }
  return performance.now() - sinceMs
}

const met = new Map()
let order = []
async function disturb() {
  while (!isOver()) {
    await sleep(between(500, 4_000))
    // Shuffles all kinds again once each was used, so that none is rare.
    if (order.length === 0) order = Object.keys(faults).toSorted(() => random() - 0.5)
    const name = order.pop()
    const cutsFirst = random() < 0.7
    faults[name].begin()
    if (cutsFirst) proxy.cut()
    // Most pass soon; some are longer than a lease, a heartbeat or a long poll.
    await sleep(random() < 0.15 ? between(20_000, 50_000) : between(500, 6_000))
    proxy.behave()
    const tookMs = await recovered(name)
    met.set(name, [...(met.get(name) ?? []), Math.round(tookMs)])
  }
}

await Promise.all([send(), jump(), watch(), disturb()])
proxy.behave()
transport.close()
setByMs = 0
// A message whose handler failed three times waits for minutes.
const restEndsMs = performance.now() + maxRestMs
const isHandled = () => Object.values(handled).every((map) => map.size >= sent.size)
while (!isHandled() && performance.now() < restEndsMs) await sleep(200)

async function listed(direction) {
  const all = []
  for (let cursor; cursor !== null; ) {
    const query = `direction=${direction}&limit=100${cursor ? `&cursor=${cursor}` : ''}`
    const { messages, next_cursor } = await call(`/messages?${query}`)
    all.push(...messages)
    cursor = next_cursor
  }
  return all
}
const inbound = await listed('inbound')
const answers = new Map()
for (const { subject } of await listed('outbound')) answers.set(subject, (answers.get(subject) ?? 0) + 1)
const unanswered = inbound.filter(({ subject }) => answers.get(`Re: ${subject}`) !== 1)
const { dead_letters: deadLetters } = await call('/consumers/soak/dead-letters')
const counts = (map) => ({
  never: inbound.filter(({ id }) => !map.has(id)).length,
  once: [...map.values()].filter((times) => times === 1).length,
  moreThanOnce: [...map.values()].filter((times) => times > 1).length,
})
const ways = Object.fromEntries(Object.entries(handled).map(([way, map]) => [way, counts(map)]))
const ended = { run: runEnded, incoming: loopEnded }
await run.stop()
await mailbox.close()
await looping
await proxy.close()
await stop()
await rm(data, { recursive: true, force: true })
const recoveries = [...met.values()].flat()
const report = {
  seed: Number(values.seed),
  minutes: Number(((performance.now() - startedMs) / 60_000).toFixed(1)),
  messages: inbound.length,
  handled: ways,
  notAnsweredOnce: unanswered.map(({ id, subject }) => ({
    ...{ subject, answers: answers.get(`Re: ${subject}`) ?? 0, handled: handled.run.get(id) ?? 0 },
    failed: failures.get(id) ?? [],
  })),
  faults: recoveries.length,
  clockJumps: jumps.length,
  recoveredAfterMs: Object.fromEntries(met),
  slowestRecoveryMs: Math.max(0, ...recoveries),
  wrongStates: wrong,
  unhandledRejections: rejections,
  endedBefore: ended,
  handlersThatThrew: failures.size,
  deadLetters: deadLetters.length,
  errors: Object.fromEntries(errors),
}
console.log(inspect(report, { depth: 4, breakLength: 120, compact: 5, maxArrayLength: null }))
const failed =
  inbound.length !== sent.size ||
  recoveries.length === 0 ||
  unanswered.length + wrong.length + rejections.length > 0 ||
  ended.run !== null ||
  ended.incoming !== null ||
  Object.values(ways).some(({ never, moreThanOnce }) => never + moreThanOnce > 0)
console.log(failed ? 'FAILED' : 'passed')
process.exit(failed ? 1 : 0)
