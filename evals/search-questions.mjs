// How often the mail that was meant is on the first page: questions as agents ask them, over real mail of public lists.
//   node evals/search-questions.mjs --mails DIR [--mode keyword|semantic|hybrid] [--database postgres://…] [--misses]
// evals/search-questions/README.md says where the mails come from and how they are laid.
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import MiniSearch from 'minisearch'
import { createService } from 'restante/service'
import { openPostgres, openSqlite } from '../bench/search/databases.mjs'
import { documentOf, idOf, rawMails } from './search-questions/mails.mjs'

const { values } = parseArgs({
  options: {
    mails: { type: 'string' },
    mode: { type: 'string', multiple: true, default: ['keyword', 'semantic', 'hybrid'] },
    database: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
})
if (!values.mails) {
  console.error('--mails names the folder of the mails; evals/search-questions/README.md says how it is laid')
  process.exit(2)
}

const questions = JSON.parse(
  readFileSync(new URL('./search-questions/questions.json', import.meta.url), 'utf8'),
)
const page = 10
/** How far behind a mail may stand and still count for the mean reciprocal rank. */
const depth = 100

/** The place of the first mail that answers, from 0; of a mail that quotes the meant one as much as of the meant one. */
function placeOf({ means, quotedBy = [] }, found) {
  const answers = new Set([...means, ...quotedBy])
  const place = found.findIndex((id) => answers.has(id))
  return place < 0 ? Number.POSITIVE_INFINITY : place
}

/** Asks every question; returns the shares found first and on the first page, and the mean reciprocal rank. */
async function asked(find) {
  const places = []
  for (const question of questions) {
    places.push({ ...question, place: placeOf(question, await find(question.question)) })
  }
  return places
}

const share = (places, count) => places.filter(({ place }) => place < count).length / places.length
const reciprocal = (places) => places.reduce((sum, { place }) => sum + 1 / (place + 1), 0) / places.length
const kinds = [...new Set(questions.map(({ kind }) => kind))]

function print(name, places) {
  const figures = [share(places, 1), share(places, page), reciprocal(places)]
  const ofKinds = kinds.map((kind) =>
    share(
      places.filter((one) => one.kind === kind),
      page,
    ),
  )
  console.log(`| ${name} | ${[...figures, ...ofKinds].map((value) => value.toFixed(3)).join(' | ')} |`)
  if (!values.misses) return
  for (const { kind, question, place, means } of places) {
    if (place >= page)
      console.log(
        `  ${place === Number.POSITIVE_INFINITY ? '–' : place + 1} ${kind}: ${question} <${means[0]}>`,
      )
  }
}

const mails = [...rawMails(values.mails)]
const documents = await Promise.all(mails.map((raw, i) => documentOf(raw, i)))
const present = new Set(documents.map(({ messageId }) => messageId))
const absent = questions.filter(({ means }) => !means.some((id) => present.has(id)))
if (absent.length > 0) {
  console.error(`${absent.length} of ${questions.length} questions mean mail that is not in ${values.mails}`)
  process.exit(1)
}

/** The search of the first release: every word must be there, the newest mail first. */
function everyWordNewestFirst() {
  const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const newest = documents
    .map(({ subject, from, text, date, messageId }) => ({
      has: new Set(words(`${subject} ${from} ${text}`)),
      date,
      messageId,
    }))
    .sort((a, b) => b.date - a.date)
  return (question) => {
    const asked = words(question)
    return newest.filter(({ has }) => asked.every((word) => has.has(word))).map(({ messageId }) => messageId)
  }
}

function miniSearch() {
  const index = new MiniSearch({ fields: ['subject', 'from', 'text'], storeFields: ['messageId'] })
  index.addAll(documents)
  return (question) => index.search(question).map(({ messageId }) => messageId)
}

/** Lays the mails into a service, as many at a time as it takes in together; returns how it searches them. */
async function lay(service) {
  const home = await service.home()
  const envelope = { mailFrom: '', recipients: [home.address], remoteAddress: '127.0.0.1', heloName: 'bench' }
  for (let at = 0; at < mails.length; at += 100) {
    await Promise.all(mails.slice(at, at + 100).map((raw) => service.receive(envelope, new Uint8Array(raw))))
  }
  return async (mode, q) => {
    const query = new URLSearchParams({ q, mode, limit: String(depth), include: 'spam' })
    const request = new Request(`http://bench/v1/messages?${query}`, {
      headers: { authorization: `Bearer ${home.apiKey}` },
    })
    const answer = await (await service.fetch(request)).json()
    if (!answer.messages) throw new Error(answer.message)
    return {
      ids: answer.messages.map((message) => idOf(message.rfc822_message_id)),
      modeUsed: answer.mode_used,
    }
  }
}

/** Waits until messages are embedded and the answers to a few questions no longer change. */
async function untilLearned(search) {
  const sample = questions.filter((_, i) => i % 40 === 0)
  let before
  for (let tries = 0; tries < 100; tries++) {
    const answers = []
    for (const { question } of sample) answers.push(await search('semantic', question))
    const now = JSON.stringify(answers)
    if (now === before && answers.every(({ modeUsed }) => modeUsed === 'semantic')) return
    before = now
    await pause(15_000)
  }
  throw new Error('the messages were not embedded within 25 minutes')
}

console.log(
  `${mails.length} mails, ${questions.length} questions; each kind: found on the first page (${page})\n`,
)
console.log(
  `| | recall@1 | recall@${page} | MRR | ${kinds.map((kind) => `${kind} (${questions.filter((one) => one.kind === kind).length})`).join(' | ')} |`,
)
console.log(`|${'---|'.repeat(kinds.length + 4)}`)
print('every word, newest first', await asked(everyWordNewestFirst()))
print('MiniSearch', await asked(miniSearch()))

const database = values.database ? await openPostgres(values.database) : await openSqlite()
const service = await createService({ ...database.options, requestsPerMinute: 1_000_000, log: 'warn' })
try {
  const search = await lay(service)
  if (values.mode.some((mode) => mode !== 'keyword')) await untilLearned(search)
  for (const mode of values.mode) {
    print(
      `${mode}, ${values.database ? 'PostgreSQL' : 'SQLite'}`,
      await asked(async (q) => (await search(mode, q)).ids),
    )
  }
} finally {
  await service.close()
  await database.drop()
}
