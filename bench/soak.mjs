// `npm run soak`: mail comes in and is answered by several workers on one consumer, while the service is killed with -9
// every few seconds. Parameters: --minutes 10 --messages 20000 --workers 4 --threads 2000; with --hostile, --nodes,
// --client or --desk it is another soak, see the file soak-….mjs of that name
import { fork, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect, parseArgs } from 'node:util'
import { residentMb } from './processes.mjs'
import { flood, mailOf } from './soak-flood.mjs'
import { readInFlight } from './soak-in-flight.mjs'
import { createHandled, judge, readLog, settle } from './soak-judge.mjs'
import { startSink } from './soak-sink.mjs'

if (process.argv.includes('--hostile')) await import('./soak-hostile.mjs')
if (process.argv.includes('--nodes')) await import('./soak-nodes.mjs')
if (process.argv.includes('--client')) await import('./soak-client.mjs')
if (process.argv.includes('--desk')) await import('./soak-desk.mjs')

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

const { handled, onHandled } = createHandled()
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
const { address, smtp } = service.facts
const mailAt = (index) => ({ to: address, raw: mailOf(index, threads, address) })
const flooded = flood({ smtp, mails: messages, endsAtMs, mailAt }).finally(() => (flooding = false))
while (flooding) {
  await sleep(3_000 + Math.random() * 5_000)
  if (flooding) await killAndRestart()
}
await flooded
const answered = () => new Set(sink.mails.map(({ answers }) => answers)).size
await settle(answered, messages, maxRestMs)
await sleep(5_000)
clearInterval(sampling)
const { ids, dense } = await readLog(call)
for (const child of children) child.kill('SIGKILL')
service.child.kill('SIGTERM')

const found = judge({ ids, handled, mails: sink.mails, inFlight })
const { unhandled, unanswered, answeredTwice, repeats, unexplained, disordered } = found
const perSecond = (one, other) =>
  Math.round(((other.came - one.came) * 10_000) / (other.atMs - one.atMs)) / 10
const starts = kills.flatMap(({ startMs }) => startMs ?? [])
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
  handledMoreThanOnce: found.twiceHandled,
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
