// `npm run soak -- --hostile`: mail comes in and is answered, first in peace, then beside 50 hostile clients. Every mail
// must be answered once, soon enough, by a service whose memory stays as it is. Parameters: --minutes 10 --each-second 5
import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { percentile } from './figures.mjs'
import { residentMb, startProgram } from './processes.mjs'
import { openDialogue } from './smtp-dialogue.mjs'
import { startSink } from './soak-sink.mjs'

const { values } = parseArgs({
  options: {
    hostile: { type: 'boolean' },
    minutes: { type: 'string', default: '10' },
    'each-second': { type: 'string', default: '5' },
  },
})
const minutes = Number(values.minutes)
const eachSecond = Number(values['each-second'])
/** Times that the slowest hundredth may take as long to be heard of as without hostile clients. */
const maxSlower = 3
/** A p99 below this is noise of the machine: what is slower is measured against it. */
const minP99Ms = 5
const maxGrowth = 1.25
const maxRestMs = 60_000
const file = (name) => fileURLToPath(new URL(name, import.meta.url))

const data = await mkdtemp(join(tmpdir(), 'restante-soak-'))
const sink = await startSink()
const service = await startProgram([file('service.mjs'), data], {
  RESTANTE_DELIVERY: `smtp://127.0.0.1:${sink.port}`,
  RESTANTE_REQUESTS_PER_MINUTE: '6000',
  // No address of this machine is exempt from any limit.
  RESTANTE_UNLIMITED: '192.0.2.1',
})
const { url, smtp, address, apiKey } = service.facts
const children = []
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** By subject: when a mail was sent, and when the loop had it. */
const sent = new Map()
const woken = new Map()
const errors = new Map()
const worker = fork(file('soak-worker.mjs'), {
  execArgv: ['--expose-gc'],
  env: {
    ...process.env,
    SOAK_URL: url,
    SOAK_KEY: apiKey,
    SOAK_CONSUMER: 'soak',
    SOAK_KIND: 'run',
    // What waits for the mail before it is not what is measured.
    SOAK_CONCURRENCY: '20',
    SOAK_THROWING_SHARE: '0',
  },
})
children.push(worker)
worker.on('message', ({ handled, error }) => {
  if (handled && !woken.has(handled.subject)) woken.set(handled.subject, handled.atMs)
  if (error) errors.set(error, (errors.get(error) ?? 0) + 1)
})
const now = () => performance.timeOrigin + performance.now()

/** Sends at an even pace, over one connection; what comes of it is looked at afterwards. */
async function work(phase, durationMs) {
  const dialogue = await openDialogue(smtp)
  const startedMs = now()
  const count = Math.round((durationMs / 1_000) * eachSecond)
  for (let index = 0; index < count; index += 1) {
    const dueMs = startedMs + (index * 1_000) / eachSecond
    if (dueMs > now()) await sleep(dueMs - now())
    const subject = `${phase} ${index}`
    const head = [
      'From: Ana <ana@example.com>',
      `To: ${address}`,
      `Subject: ${subject}`,
      `Message-ID: <${phase}-${index}@example.com>`,
    ]
    await dialogue.begin('ana@example.com', address)
    sent.set(subject, now())
    dialogue.socket.write(`${head.join('\r\n')}\r\n\r\n${'How are you?\r\n'.repeat(80)}.\r\n`)
    await dialogue.reply()
  }
  dialogue.socket.end()
  return count
}

/** Waits for the answers that are still to come. */
async function settle(count) {
  for (let known = -1, sinceMs = now(); sink.mails.length < count && now() - sinceMs < maxRestMs; ) {
    if (sink.mails.length !== known) sinceMs = now()
    known = sink.mails.length
    await sleep(500)
  }
}

const call = async (path) =>
  (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${apiKey}` } })).json()

async function startHostile() {
  const child = fork(file('soak-hostile-clients.mjs'), {
    env: { ...process.env, SOAK_URL: url, SOAK_SMTP: smtp, SOAK_ADDRESS: address },
  })
  children.push(child)
  const counts = {}
  child.on('message', ({ count }) => {
    counts[count] = (counts[count] ?? 0) + 1
  })
  // Reports name what left: a list's archive, or anybody else who got it, would know it.
  const tellMails = setInterval(() => {
    const { messageId } = sink.mails.at(-1) ?? {}
    if (messageId && child.connected) child.send({ messageId })
  }, 1_000)
  return {
    counts,
    stop() {
      clearInterval(tellMails)
      child.kill('SIGKILL')
    },
  }
}

const latenciesOf = (phase) =>
  [...sent]
    .filter(([subject]) => subject.startsWith(`${phase} `))
    .flatMap(([subject, atMs]) => (woken.has(subject) ? [woken.get(subject) - atMs] : []))

const memories = []
const sampling = () => setInterval(() => memories.push(residentMb(service.pid)), 2_000)
const mean = (list) => Math.round(list.reduce((sum, one) => sum + one, 0) / Math.max(1, list.length))
const quarters = (list) =>
  [0, 1, 2, 3].map((index) =>
    mean(list.slice(Math.floor((list.length * index) / 4), Math.floor((list.length * (index + 1)) / 4))),
  )

// What is made once, such as compiled code, is there before anything is measured.
let count = await work('warm', 5_000)
await settle(count)
count += await work('quiet', Math.max(20_000, (minutes * 60_000) / 4))
await settle(count)
const hostile = await startHostile()
await sleep(2_000)
const sampler = sampling()
count += await work('hostile', minutes * 60_000)
await settle(count)
clearInterval(sampler)
hostile.stop()

const answers = new Map()
for (const { messageId, answers: original } of sink.mails)
  answers.set(original, (answers.get(original) ?? new Set()).add(messageId))
const { suppressions } = await call('/suppressions')
const [quiet, beside] = ['quiet', 'hostile'].map(latenciesOf)
const figures = (list) => ({
  mails: list.length,
  p50: percentile(list, 0.5).toFixed(1),
  p99: percentile(list, 0.99).toFixed(1),
  max: Math.max(...list).toFixed(1),
})
const slower = percentile(beside, 0.99) / Math.max(minP99Ms, percentile(quiet, 0.99))
const serviceMb = quarters(memories)
const unanswered = [...sent.keys()].filter(
  (subject) => !answers.has(`<${subject.replace(' ', '-')}@example.com>`),
)
const twice = [...answers.values()].filter((ids) => ids.size > 1).length
const repeated = sink.mails.length - [...answers.values()].reduce((sum, ids) => sum + ids.size, 0)
console.log({
  minutes,
  mails: sent.size,
  unanswered: unanswered.length,
  answeredTwice: twice,
  sameMailAgain: repeated,
  wakeMsInPeace: figures(quiet),
  wakeMsBesideHostile: figures(beside),
  p99TimesSlower: Number(slower.toFixed(2)),
  serviceMbInQuarters: serviceMb,
  serviceMbAtMost: Math.round(Math.max(...memories)),
  addressesSuppressed: suppressions.length,
  hostile: Object.fromEntries(Object.entries(hostile.counts).sort()),
  errors: Object.fromEntries(errors),
})
await service.stop()
for (const child of children) child.kill('SIGKILL')
await sink.close()
await rm(data, { recursive: true, force: true })
const failed =
  unanswered.length + twice + repeated + suppressions.length > 0 ||
  slower > maxSlower ||
  serviceMb[3] > serviceMb[1] * maxGrowth
console.log(failed ? 'FAILED' : 'passed')
process.exit(failed ? 1 : 0)
