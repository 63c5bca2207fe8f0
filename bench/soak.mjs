// `npm run soak`: mail comes in and is answered by several workers on one consumer, while the service is killed with -9
// every few seconds. Parameters: --minutes 10 --messages 20000 --workers 4 --threads 2000; with --hostile it is another
// soak, see soak-hostile.mjs
import { fork, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect, parseArgs } from 'node:util'
import { createTransport } from 'nodemailer'
import { residentMb } from './processes.mjs'
import { readInFlight } from './soak-in-flight.mjs'
import { startSink } from './soak-sink.mjs'

if (process.argv.includes('--hostile')) await import('./soak-hostile.mjs')

const number = (fallback) => ({ type: 'string', default: String(fallback) })
const { values } = parseArgs({
  options: { minutes: number(10), messages: number(20_000), workers: number(4), threads: number(2_000) },
})
const [minutes, messages, workers, threads] = ['minutes', 'messages', 'workers', 'threads'].map((name) =>
  Number(values[name]),
)
const consumer = 'soak'
/** A slow machine drains slowly: it is given up when nothing more is answered for so long. */
const maxRestMs = 2 * 60_000

const data = await mkdtemp(join(tmpdir(), 'restante-soak-'))
const sink = await startSink()
const kills = []
const errors = new Map()
/** By Message-ID, at how many kills it was on its way. */
const inFlight = new Map()
let service

async function startService(places = ['--http', '127.0.0.1:0', '--smtp', '127.0.0.1:0']) {
  const delivery = `smtp://127.0.0.1:${sink.port}`
  const args = [
    'dist/cli.js',
    'dev',
    '--json',
    '--data',
    data,
    '--delivery',
    delivery,
    '--requests-per-minute',
    '1000000',
    ...places,
  ]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  const facts = await new Promise((resolve, reject) => {
    lines.once('line', (line) => resolve(JSON.parse(line)))
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
  })
  lines.on('line', () => {})
  return { child, facts }
}

async function killAndRestart() {
  const { child, facts } = service
  if (child.exitCode !== null) throw new Error(`the service ended by itself with ${child.exitCode}`)
  const gone = new Promise((resolve) => child.once('exit', resolve))
  // Before each kill it has run for as long as before any other, on average.
  const kill = { mb: residentMb(child.pid) }
  kills.push(kill)
  child.kill('SIGKILL')
  await gone
  for (const messageId of await readInFlight(data))
    inFlight.set(messageId, (inFlight.get(messageId) ?? 0) + 1)
  const startedMs = Date.now()
  service = await startService(['--http', new URL(facts.url).host, '--smtp', facts.smtp])
  kill.startMs = Date.now() - startedMs
}

const mailOf = (index) => {
  const thread = index % threads
  const first = index < threads
  const head = [
    'From: Ana <ana@example.com>',
    `To: ${service.facts.address}`,
    `Subject: ${first ? '' : 'Re: '}Thread ${thread}`,
    `Message-ID: <soak-${index}@example.com>`,
    ...(first
      ? []
      : [`In-Reply-To: <soak-${thread}@example.com>`, `References: <soak-${thread}@example.com>`]),
    `Date: ${new Date().toUTCString()}`,
  ]
  return `${head.join('\r\n')}\r\n\r\nMail ${index}: ${'how are you? '.repeat(100)}\r\n`
}

/** Sends one mail until it is taken, the same bytes each time. */
async function deliver(transport, index) {
  const raw = mailOf(index)
  const envelope = { from: 'ana@example.com', to: service.facts.address }
  for (;;) {
    try {
      return await transport.sendMail({ envelope, raw })
    } catch {
      await sleep(200)
    }
  }
}

async function flood(endsAtMs) {
  const { smtp } = service.facts
  const [host, port] = smtp.split(':')
  const transport = createTransport({
    host,
    port: Number(port),
    pool: true,
    maxConnections: 10,
    tls: { rejectUnauthorized: false },
  })
  const startedMs = Date.now()
  const pending = new Set()
  for (let index = 0; index < messages; index += 1) {
    const dueMs = startedMs + ((endsAtMs - startedMs) * index) / messages
    if (dueMs > Date.now()) await sleep(dueMs - Date.now())
    const sending = deliver(transport, index).then(() => pending.delete(sending))
    pending.add(sending)
    if (pending.size >= 50) await Promise.race(pending)
  }
  await Promise.all(pending)
  transport.close()
}

/** Message by message: how often it was handled, and when first. */
const handled = new Map()
function onHandled({ id, threadId, seq, atMs }) {
  const known = handled.get(id)
  if (known) known.times += 1
  else handled.set(id, { threadId, seq, atMs, times: 1 })
}

let mishaps = 0
let recognised = 0
const memories = []
function startWorker(index) {
  const { url, api_key } = service.facts
  const kind = index % 2 === 0 ? 'loop' : 'run'
  const child = fork('bench/soak-worker.mjs', {
    execArgv: ['--expose-gc'],
    env: { ...process.env, SOAK_URL: url, SOAK_KEY: api_key, SOAK_CONSUMER: consumer, SOAK_KIND: kind },
  })
  memories[index] = []
  child.on('message', ({ handled: one, replied, mishap, memory, error }) => {
    if (one) onHandled(one)
    if (replied?.idempotent) recognised += 1
    if (mishap) mishaps += 1
    if (memory) memories[index].push(memory)
    if (error) errors.set(error.slice(0, 160), (errors.get(error.slice(0, 160)) ?? 0) + 1)
  })
  return child
}

const call = async (path) => {
  const response = await fetch(`${service.facts.url}${path}`, {
    headers: { authorization: `Bearer ${service.facts.api_key}` },
  })
  return response.json()
}

/** Everything that came in, and whether the numbers of the log are dense. */
async function readLog() {
  const ids = new Map()
  let dense = true
  for (let after = 0, head = 1; after < head; ) {
    const page = await call(`/events?after=${after}&limit=500`)
    page.events.forEach((event, index) => {
      dense &&= event.seq === page.from + index + 1
      if (event.type === 'message.received') ids.set(event.data.id, event.data.rfc822_message_id)
    })
    after = page.to
    head = page.head
  }
  return { ids, dense }
}

const samples = []
const children = []
const sample = () => {
  for (const child of children) if (child.connected) child.send('memory')
  samples.push({ atMs: Date.now(), came: sink.mails.length })
}

process.on('exit', () => {
  for (const child of [...children, service?.child]) child?.kill('SIGKILL')
})

const startedMs = Date.now()
const endsAtMs = startedMs + minutes * 60_000
service = await startService()
for (let count = 0; count < workers; count += 1) children.push(startWorker(count))
const sampling = setInterval(sample, 5_000)
let flooding = true
const flooded = flood(endsAtMs).finally(() => (flooding = false))
while (flooding) {
  await sleep(3_000 + Math.random() * 5_000)
  if (flooding) await killAndRestart()
}
await flooded
const answered = () => new Set(sink.mails.map(({ answers }) => answers)).size
for (let count = -1, sinceMs = Date.now(); count < messages && Date.now() - sinceMs < maxRestMs; ) {
  await sleep(1_000)
  if (answered() === count) continue
  count = answered()
  sinceMs = Date.now()
}
await sleep(5_000)
clearInterval(sampling)
const { ids, dense } = await readLog()
for (const child of children) child.kill('SIGKILL')
service.child.kill('SIGTERM')

const answers = new Map()
for (const { messageId, answers: original } of sink.mails) {
  if (!answers.has(original)) answers.set(original, new Map())
  const times = answers.get(original)
  times.set(messageId, (times.get(messageId) ?? 0) + 1)
}
const unhandled = [...ids.keys()].filter((id) => !handled.has(id))
const unanswered = [...ids.values()].filter((id) => !answers.has(id))
const answeredTwice = [...answers].filter(([, times]) => times.size > 1)
const repeats = [...answers.values()].flatMap((times) => [...times]).filter(([, times]) => times > 1)
// What was on its way at a kill may have been taken there, and none but that may come again.
const unexplained = repeats.filter(([messageId, times]) => times - 1 > (inFlight.get(messageId) ?? 0))
const perSecond = (one, other) =>
  Math.round(((other.came - one.came) * 10_000) / (other.atMs - one.atMs)) / 10
const starts = kills.flatMap(({ startMs }) => startMs ?? [])
const byThread = Map.groupBy ? Map.groupBy(handled.values(), ({ threadId }) => threadId) : groupByThread()
function groupByThread() {
  const groups = new Map()
  for (const one of handled.values()) groups.set(one.threadId, [...(groups.get(one.threadId) ?? []), one])
  return groups
}
let disordered = 0
for (const group of byThread.values()) {
  group.sort((one, other) => one.seq - other.seq)
  for (let index = 1; index < group.length; index += 1)
    if (group[index].atMs < group[index - 1].atMs) disordered += 1
}
const mean = (numbers) => Math.round(numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length))
const quarters = (list) =>
  [0, 1, 2, 3].map((index) =>
    list.slice(Math.floor((list.length * index) / 4), Math.floor((list.length * (index + 1)) / 4)),
  )
const toMb = (bytes) => bytes / 1024 / 1024
const heapMb = (list) =>
  quarters(list).map((some) => mean(some.map((one) => toMb(one.heapUsed + one.external))))
const serviceMb = quarters(kills).map((some) => mean(some.map(({ mb }) => mb)))
const report = {
  minutes: Number(((Date.now() - startedMs) / 60_000).toFixed(1)),
  kills: kills.length,
  messages: ids.size,
  logIsDense: dense,
  handled: handled.size,
  handledMoreThanOnce: [...handled.values()].filter(({ times }) => times > 1).length,
  unhandled: unhandled.length,
  outOfOrderInAThread: disordered,
  mailsAtTheSink: sink.mails.length,
  unanswered: unanswered.length,
  answeredByTwoMails: answeredTwice.length,
  sameMessageIdAgain: repeats.length,
  ofThemNotInFlightAtAKill: unexplained.length,
  inFlightAtAKill: inFlight.size,
  bodiesThatThrew: mishaps,
  repliesThatWereKnown: recognised,
  answersPerSecond: samples.slice(1).map((one, index) => perSecond(samples[index], one)),
  startMs: { mean: mean(starts), max: Math.max(0, ...starts) },
  workerHeapMbInQuarters: memories.map(heapMb),
  workerMbInQuarters: memories.map((list) =>
    quarters(list).map((some) => mean(some.map((one) => toMb(one.rss)))),
  ),
  serviceMbInQuarters: serviceMb,
  errors: Object.fromEntries(errors),
}
console.log(inspect(report, { depth: null, breakLength: 120, compact: 5, maxArrayLength: null }))
// The first quarter fills the caches.
const grown = [...memories.map(heapMb), serviceMb].filter(([, second, , last]) => last > second * 1.25)
const failed =
  !dense ||
  grown.length > 0 ||
  ids.size !== messages ||
  unhandled.length + unanswered.length + answeredTwice.length + unexplained.length + disordered > 0
if (answeredTwice.length > 0)
  console.log(
    'answered twice:',
    answeredTwice.slice(0, 3).map(([id, times]) => [id, ...times]),
  )
if (unanswered.length > 0) console.log('unanswered:', unanswered.slice(0, 10))
await sink.close()
await rm(data, { recursive: true, force: true })
console.log(failed ? 'FAILED' : 'passed')
process.exit(failed ? 1 : 0)
