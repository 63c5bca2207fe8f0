// `npm run soak -- --desk`: five operators and three agents work on 10,000 conversations, while people write on. No edit
// of a draft is lost, no message is answered twice, no agent writes into a held thread, and the list answers within
// 100 ms (p99). Parameters: --minutes 10 --threads 10000 --messages-per-second 5
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect, parseArgs } from 'node:util'
import { startProgram } from './processes.mjs'
import { flood, mailOf } from './soak-flood.mjs'

const number = (fallback) => ({ type: 'string', default: String(fallback) })
const { values } = parseArgs({
  options: {
    desk: { type: 'boolean' },
    minutes: number(10),
    threads: number(10_000),
    'messages-per-second': number(5),
  },
})
const [minutes, threads] = [Number(values.minutes), Number(values.threads)]
const perSecond = Number(values['messages-per-second'])
const operators = 5
const agents = 3
const maxListMs = 100
const consumer = 'desk'

const data = await mkdtemp(join(tmpdir(), 'restante-soak-'))
const { facts, stop } = await startProgram([
  ...['dist/cli.js', 'dev', '--json', '--data', data, '--delivery', 'capture'],
  ...['--requests-per-minute', '1000000', '--http', '127.0.0.1:0', '--smtp', '127.0.0.1:0'],
])
const { origin } = new URL(facts.url)

async function ask(method, url, headers, body) {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
}
const asAgent = (method, path, body) =>
  ask(method, facts.url + path, { authorization: `Bearer ${facts.api_key}` }, body)

/** Signs the owner in; the operators of this soak are several windows of one sign-in. */
async function signIn() {
  const [, token] = facts.sign_in_url.split('=')
  const { status, headers } = await ask('POST', `${origin}/console/auth/use-link`, { origin }, { token })
  if (status !== 200) throw new Error(`signing in was answered ${status}`)
  return headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
}
const cookie = await signIn()
const { tenant_id } = (await asAgent('GET', '/account')).body
const asOperator = (method, path, body) =>
  ask(method, facts.url + path, { origin, cookie, 'restante-account': tenant_id }, body)

const pick = (list) => list[Math.floor(Math.random() * list.length)]
const unexpected = new Map()
/** Counts an answer that is neither a success nor one of these refusals. */
function expectOk({ status, body }, ...codes) {
  if (status < 300) return true
  if (!codes.includes(body.error)) unexpected.set(body.error, (unexpected.get(body.error) ?? 0) + 1)
  return false
}

let mails = 0
const mailAt = (index) => ({ to: facts.address, raw: mailOf(mails + index, threads, facts.address) })
async function write(count, endsAtMs) {
  await flood({ smtp: facts.smtp, mails: count, endsAtMs, mailAt })
  mails += count
}

const listMs = new Map()
const queries = [
  ...['status=open', 'assignee=me&status=open', 'held=true', 'assignee=none&status=open'],
  ...['waiting_for_agent=true', 'has_suggestion=true', ''],
]
async function list() {
  const query = pick(queries)
  const startedMs = performance.now()
  const answer = await asOperator('GET', `/threads?limit=100&${query}`)
  listMs.set(query, [...(listMs.get(query) ?? []), performance.now() - startedMs])
  return expectOk(answer) ? answer.body.threads : []
}

/** Texts that were accepted as edits, by draft. */
const edits = new Map()
let edited = 0
async function edit() {
  const id = pick([...edits.keys()])
  const { body } = await asOperator('GET', `/drafts/${id}?include=content`)
  const line = `edit ${edited++}`
  const changes = { text: `${body.text}\n${line}`, expect_seq: body.seq }
  if (expectOk(await asOperator('PATCH', `/drafts/${id}`, changes), 'draft_changed')) edits.get(id).push(line)
}

const counts = {
  byPeople: 0,
  byAgents: 0,
  holds: 0,
  released: 0,
  assigned: 0,
  closed: 0,
  handedOver: 0,
  refused: 0,
}
const count = (name, isDone) => {
  if (isDone) counts[name] += 1
}

async function answerByHand(thread) {
  const { body } = await asOperator('GET', `/messages?thread_id=${thread.id}&limit=1`)
  const last = body.messages?.[0]
  if (last?.direction !== 'inbound') return
  const reply = { text: 'By hand.', expect_last_message_id: last.id }
  const answer = await asOperator('POST', `/messages/${last.id}/reply`, reply)
  count('byPeople', expectOk(answer, 'thread_moved'))
}

async function operate(isOver) {
  while (!isOver()) {
    const thread = pick(await list())
    const choice = Math.random()
    const verb = (name, body) => asOperator('POST', `/threads/${thread.id}/${name}`, body)
    if (choice < 0.25) await edit()
    else if (!thread) continue
    else if (choice < 0.45) count('holds', expectOk(await verb('hold', { reason: 'Mine' })))
    else if (choice < 0.65) await answerByHand(thread)
    else if (choice < 0.85) count('released', expectOk(await verb('release')))
    else if (choice < 0.95)
      count('assigned', expectOk(await verb('assign', { assignee: { kind: 'operator', id: 'me' } })))
    else count('closed', expectOk(await verb('close')))
    await sleep(100 + Math.random() * 200)
  }
}

async function work(isOver) {
  while (!isOver()) {
    const leased = await asAgent('POST', `/consumers/${consumer}/lease`, { max: 5, wait_ms: 500 })
    for (const { lease, message } of expectOk(leased) ? leased.body.deliveries : []) {
      const settle = (verb) => asAgent('POST', `/consumers/${consumer}/${verb}`, { leases: [lease] })
      if (Math.random() < 0.1) {
        const body = { reason: 'A refund', consumer, lease }
        count('handedOver', expectOk(await asAgent('POST', `/messages/${message.id}/hand-over`, body)))
        continue
      }
      const answer = await asAgent('POST', `/messages/${message.id}/reply`, {
        ...{ text: 'From the agent.', consumer, client_id: `desk:${message.id}`, replay: 'first_wins' },
        expect_last_message_id: message.id,
      })
      const isSent = expectOk(answer, 'thread_held', 'thread_moved')
      count(isSent ? 'byAgents' : 'refused', true)
      await settle(answer.body.error === 'thread_held' ? 'release' : 'ack')
    }
  }
}

/** Reads the log: answers to each message, and what agents wrote into held threads. */
async function judge() {
  const answers = new Map()
  const held = new Set()
  let intoHeld = 0
  for (let after = 0, head = 1; after < head; ) {
    const { body } = await asAgent('GET', `/events?after=${after}&limit=500`)
    for (const { type, data } of body.events) {
      if (type === 'thread.held') held.add(data.id)
      if (type === 'thread.released') held.delete(data.id)
      if (type !== 'message.queued') continue
      answers.set(data.in_reply_to, (answers.get(data.in_reply_to) ?? 0) + 1)
      if (data.sent_by?.kind !== 'operator' && held.has(data.thread_id)) intoHeld += 1
    }
    after = body.to
    head = body.head
  }
  return {
    answered: answers.size,
    twice: [...answers.values()].filter((times) => times > 1).length,
    intoHeld,
  }
}

async function countLost() {
  let lost = 0
  for (const [id, lines] of edits) {
    const { body } = await asOperator('GET', `/drafts/${id}?include=content`)
    const kept = new Set(body.text.split('\n'))
    lost += lines.filter((line) => !kept.has(line)).length
  }
  return lost
}

process.on('exit', () => void stop())
console.log(`${threads} conversations are written …`)
await write(threads, Date.now())
await asAgent('POST', '/consumers', { name: consumer, from: 'now' })
for (let at = 0; at < operators; at += 1) {
  const draft = { inbox_id: facts.inbox_id, subject: `Draft ${at}`, text: 'Shared.' }
  edits.set((await asOperator('POST', '/drafts', draft)).body.id, [])
}
const endsAtMs = Date.now() + minutes * 60_000
const isOver = () => Date.now() >= endsAtMs
await Promise.all([
  write(Math.round(minutes * 60 * perSecond), endsAtMs),
  ...Array.from({ length: operators }, () => operate(isOver)),
  ...Array.from({ length: agents }, () => work(isOver)),
])
const { answered, twice, intoHeld } = await judge()
const lostEdits = await countLost()
/** Returns the time in ms within which this share of some lists was answered. */
const within = (share, list) =>
  Math.round(list.toSorted((a, b) => a - b)[Math.floor((list.length - 1) * share)] * 10) / 10
const lists = [...listMs.values()].flat()
const accepted = [...edits.values()].reduce((sum, lines) => sum + lines.length, 0)
const report = {
  ...{ minutes, conversations: threads, messages: mails, answered, ...counts },
  ...{ edits: accepted, lostEdits, answeredTwice: twice, byAgentsIntoHeldThreads: intoHeld },
  ...{ lists: lists.length, listMsP50: within(0.5, lists), listMsP99: within(0.99, lists) },
  listMsP50ByQuery: Object.fromEntries([...listMs].map(([query, some]) => [query, within(0.5, some)])),
  unexpected: Object.fromEntries(unexpected),
}
console.log(inspect(report, { breakLength: 120 }))
const failed =
  lostEdits + twice + intoHeld + unexpected.size > 0 || report.listMsP99 > maxListMs || answered === 0
await stop()
await rm(data, { recursive: true, force: true })
console.log(failed ? 'FAILED' : 'passed')
process.exit(failed ? 1 : 0)
