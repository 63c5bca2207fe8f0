// node bench/search-speed.mjs [--messages 100000] [--database URL] [--rounds 40]: how soon mail is found in one account, few mails beside many, through the service and without
// the socket: milliseconds and processor time of each kind of query, and how SQLite's FTS5 does with the same words in the same run.
// With `--keep` what was laid stays for the next run that has it, and `--lay` lays it and measures nothing: laying may then have company.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import Libsql from 'libsql'
import pg from 'pg'
import { createService } from 'restante/service'
import { median, percentile } from './figures.mjs'
import { runProgram } from './processes.mjs'
import { mailAt, wordAt, vocabulary as words } from './search/mails.mjs'

const { values: given } = parseArgs({
  options: {
    messages: { type: 'string', default: '100000' },
    few: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '40' },
    database: { type: 'string' },
    keep: { type: 'boolean', default: false },
    lay: { type: 'boolean', default: false },
  },
})
const few = Number(given.few)
const many = Math.max(few, Math.round(Number(given.messages) / few) * few)
/** The other's are asked less often: of words that begin alike it takes seconds. */
const referenceRounds = 5

/** Words of many mails are those of low ranks. Each round asks for others, but they come again, as words do. */
const common = (i) => wordAt(i % 12)
const rare = (i) => wordAt(10_000 + ((i * 371) % 20_000))
/** A word with two letters in the other order, which no mail has. */
function misspelt(i) {
  const word = wordAt(20 + ((i * 7) % 400))
  return `${word.slice(0, -2)}${word.at(-1)}${word.at(-2)}`
}
const queries = {
  'two rare words': (i) => `${rare(i)} ${rare(i + 7)}`,
  'three common words': (i) => `${common(i)} ${common(i + 1)} ${common(i + 5)}`,
  'twelve words': (i) => [1, 2, 3, 4, 5, 6].map((k) => `${common(i + k)} ${rare(i * k)}`).join(' '),
  phrase: (i) => `"${common(i)} ${common(i + 3)}"`,
  beginning: (i) => `${wordAt(100 + ((i * 7) % 900)).slice(0, 4)}*`,
  'common beginning': (i) => `wo* ${rare(i)}`,
  'misspelt word': (i) => `${misspelt(i)} ${common(i)}`,
  'sender and word': (i) => `from:person${i % 400} ${common(i)}`,
}
const modes = {
  keyword: Object.keys(queries),
  hybrid: ['two rare words', 'three common words', 'twelve words', 'misspelt word'],
}

const keeps = given.keep || given.lay
const nothing = async () => {}

/** The folder of a place; one that is kept is found again by the number of its mails. */
async function openFolder(count) {
  if (!keeps) return mkdtemp(join(tmpdir(), 'restante-search-speed-'))
  const kind = given.database ? 'postgres' : 'sqlite'
  const data = join(tmpdir(), `restante-search-speed-kept-${words}-words-${kind}-${count}`)
  await mkdir(data, { recursive: true, mode: 0o700 })
  return data
}

/** A place for a database, and what empties it. */
async function openPlace(count) {
  const data = await openFolder(count)
  const dropFolder = () => rm(data, { recursive: true, force: true })
  if (!given.database)
    return { options: { data }, copyArgs: [data], data, drop: keeps ? nothing : dropFolder }
  const schema = keeps ? `speed_kept_${words}_words_${count}` : `speed_${process.pid}_${Date.now()}`
  const client = new pg.Client({ connectionString: given.database })
  await client.connect()
  await client.query(`create schema if not exists ${schema}`)
  const databaseUrl = `${given.database}?options=${encodeURIComponent(`-c search_path=${schema}`)}`
  return {
    options: { databaseUrl, secret: 'a secret of the benches' },
    copyArgs: [data, databaseUrl],
    data,
    async drop() {
      if (keeps) return client.end()
      await client.query(`drop schema ${schema} cascade`)
      await client.end()
      await dropFolder()
    },
  }
}

const open = (options) => createService({ ...options, log: 'warn', requestsPerMinute: 10_000_000 })

const randomBytes = {
  sqlite: 'randomblob(512)',
  postgres: "decode(repeat(md5(random()::text || created_seq), 32), 'hex')",
}

/** Writes vectors of four passages for each mail: to embed 100,000 would take more than an hour. */
async function writeVectors(place) {
  const { databaseUrl } = place.options
  const statements = [
    'delete from search_vectors',
    'delete from search_models',
    `insert into search_models (tenant_id, id, embedder, state, reached, reached_bulk, version)
      select tenant_id, 'mod_bench', 'use-lite-int8-1', 'current', max(created_seq), max(created_seq), 1
      from messages group by tenant_id`,
    `insert into search_vectors (tenant_id, model, seq, inbox_id, version, vectors)
      select tenant_id, 'mod_bench', created_seq, inbox_id, 1, ${randomBytes[databaseUrl ? 'postgres' : 'sqlite']}
      from messages`,
  ]
  if (databaseUrl) {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    return client.end()
  }
  const database = new Libsql(join(place.data, 'restante.sqlite'))
  for (const statement of statements) database.exec(statement)
  database.close()
}

/** Lays so many mails: some by the service's own endpoint, the rest as copies of their rows. */
async function fill(place, count) {
  const isLaid = join(place.data, 'laid')
  if (existsSync(isLaid)) return
  const service = await open(place.options)
  const { address } = await service.home()
  let next = 0
  const one = async () => {
    while (next < few)
      await service.receive(
        { mailFrom: '', recipients: [address] },
        new TextEncoder().encode(mailAt(next++, address)),
      )
  }
  await Promise.all(Array.from({ length: 50 }, one))
  await service.close()
  const copies = count / few - 1
  const program = fileURLToPath(new URL('copy-mail.mjs', import.meta.url))
  if (copies > 0) await runProgram(process.execPath, [program, String(copies), ...place.copyArgs])
  await writeVectors(place)
  await writeFile(isLaid, '')
}

async function caller(service) {
  const { apiKey } = await service.home()
  return async (q, mode) => {
    const path = `http://bench/v1/messages?${new URLSearchParams({ q, mode, limit: '25' })}`
    const response = await service.fetch(
      new Request(path, { headers: { authorization: `Bearer ${apiKey}` } }),
    )
    const answer = await response.json()
    if (!response.ok) throw new Error(JSON.stringify(answer))
    return answer
  }
}

/** Waits until something is so; the seconds that it took, of the clock and of the processor. Asking takes little of both. */
async function until(isSo) {
  const [startedMs, used] = [performance.now(), process.cpuUsage()]
  for (;;) {
    const askedMs = performance.now()
    if (await isSo()) break
    await pause(200 + 9 * (performance.now() - askedMs))
  }
  const { user, system } = process.cpuUsage(used)
  return { seconds: (performance.now() - startedMs) / 1_000, processor: (user + system) / 1e6 }
}

/** The first rounds: no phrase was asked before them, no beginning, and half of the common words. */
const firstRounds = 9

/** Milliseconds of each call, and of the processor: of all threads, those of the database too where it is SQLite. */
async function timesOf(call, query, rounds = Number(given.rounds)) {
  const first = []
  const times = []
  let used
  for (let i = -5; i < rounds; i++) {
    if (i === 0) used = process.cpuUsage()
    const startedMs = performance.now()
    await call(query(i + 5))
    const tookMs = performance.now() - startedMs
    if (i < firstRounds - 5) first.push(tookMs)
    if (i >= 0) times.push(tookMs)
  }
  const { user, system } = process.cpuUsage(used)
  return { first, times, processor: (user + system) / 1_000 / rounds }
}

/** All queries of a mode as one kind. */
const together = (all) => ({
  first: all.flatMap(({ first }) => first),
  times: all.flatMap(({ times }) => times),
  processor: all.reduce((sum, { processor }) => sum + processor, 0) / all.length,
})

async function bytesOf(place) {
  if (given.database) return undefined
  let bytes = 0
  for (const name of await readdir(place.data))
    if (name.startsWith('restante.sqlite')) bytes += (await stat(join(place.data, name))).size
  return bytes
}

/** How many bytes the index of words and the vectors take for each mail. */
function sizesOf(place, count) {
  if (given.database) return
  const database = new Libsql(join(place.data, 'restante.sqlite'))
  const sum = (statement) => Object.values(database.prepare(statement).get([]))[0] ?? 0
  const words = sum(
    "select sum(length(postings) + length(positions) + length(first_term) + 60) from search_blocks where segment in (select id from search_segments where state = 'live')",
  )
  const documents = sum(
    "select sum(length(seqs) + length(lengths) + length(inboxes)) from search_segments where state = 'live'",
  )
  const vectors = sum('select sum(length(vectors)) from search_vectors')
  const text = sum('select sum(size) from messages')
  const segments = sum("select count(*) from search_segments where state = 'live'")
  database.close()
  const each = (bytes) => Math.round(bytes / count)
  console.log(
    `\nbytes for each of ${count} mails of ${each(text)} bytes: ${each(words)} of the index of words, in ${segments} segments, ${each(documents)} of its documents, ${each(vectors)} of vectors`,
  )
}

/** The same words in FTS5: how long it takes to rank 25. */
function fts5(count) {
  const database = new Libsql(':memory:')
  database.exec('create virtual table f using fts5(subject, body)')
  const insert = database.prepare('insert into f values (?, ?)')
  const mails = Array.from({ length: few }, (_, i) => mailAt(i, 'agent').split('\r\n\r\n'))
  database.exec('begin')
  for (let i = 0; i < count; i++) insert.run([/Subject: (.*)/.exec(mails[i % few][0])[1], mails[i % few][1]])
  database.exec('commit')
  const select = database.prepare('select rowid from f where f match ? order by rank limit 25')
  return (q) => select.all([q.includes('"') || q.includes('*') ? q : q.split(' ').join(' OR ')])
}

const row = (cells) => console.log(`| ${cells.join(' | ')} |`)
const number = (value) => value.toFixed(value < 10 ? 1 : 0)

async function measure(count) {
  const place = await openPlace(count)
  const result = new Map()
  try {
    const startedMs = performance.now()
    await fill(place, count)
    console.log(`${count} mails were laid in ${number((performance.now() - startedMs) / 1_000)} s`)
    const service = await open(place.options)
    try {
      const call = await caller(service)
      const indexed = await until(async () => (await call(common(1), 'keyword')).messages.length > 0)
      console.log(
        `${count} mails were taken into the index in ${number(indexed.seconds)} s, ${number(indexed.processor)} s of the processor`,
      )
      const learned = await until(
        async () => (await call(`${common(1)} ${common(2)}`, 'semantic')).mode_used === 'semantic',
      )
      console.log(
        `${count} mails have vectors after ${number(learned.seconds)} s more, ${number(learned.processor)} s of the processor`,
      )
      await pause(3_000) // merging ends
      if (given.lay) return result
      for (const [mode, names] of Object.entries(modes)) {
        for (const name of names)
          result.set(`${mode}, ${name}`, await timesOf((q) => call(q, mode), queries[name]))
        result.set(`${mode}, all of these`, together(names.map((name) => result.get(`${mode}, ${name}`))))
      }
    } finally {
      await service.close()
    }
    sizesOf(place, count)
    if ((await bytesOf(place)) !== undefined)
      console.log(`the database has ${Math.round((await bytesOf(place)) / count)} bytes for each mail`)
  } finally {
    await place.drop()
  }
  return result
}

const [small, large] = [await measure(few), await measure(many)]
if (given.lay) process.exit()
const reference = fts5(many)
console.log()
row([
  'query',
  `p50 of ${few}`,
  `p50 of ${many}`,
  'growth',
  `p99 of ${many}`,
  `p50 of the first ${firstRounds}`,
  'processor ms',
  'FTS5 p50 ms',
])
row(Array(8).fill('---'))
for (const [name, figures] of large) {
  const before = small.get(name)
  const kind = name.slice(name.indexOf(', ') + 2)
  const isPlain = name.startsWith('keyword') && kind in queries && kind !== 'sender and word'
  const other = isPlain
    ? number(median((await timesOf(reference, queries[kind], referenceRounds)).times))
    : ''
  const [was, is] = [median(before.times), median(figures.times)]
  row([
    name,
    number(was),
    number(is),
    `${(is / was).toFixed(1)}×`,
    number(percentile(figures.times, 0.99)),
    number(median(figures.first)),
    number(figures.processor),
    other,
  ])
}
