// The second half of npm run bench: the calls of the interface, in an account with few messages and in one with many.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { median } from './figures.mjs'
import { fill } from './fill.mjs'
import { runProgram, startProgram } from './processes.mjs'
import { readFigures, requestsPerSecond, search } from './reads.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const few = 1_000
const many = Number(process.env.RESTANTE_BENCH_MESSAGES ?? 100_000)
const rounds = 5
const postgresUrl = process.env.RESTANTE_TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/test'

async function onSqlite() {
  const data = await mkdtemp(join(tmpdir(), 'restante-bench-'))
  return { data, drop: () => rm(data, { recursive: true }) }
}

async function onPostgres() {
  const schema = `restante_bench_${randomBytes(4).toString('hex')}`
  const run = async (statement) => {
    const client = new pg.Client({ connectionString: postgresUrl })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await run(`create schema ${schema}`)
  const databaseUrl = `${postgresUrl}?options=-c%20search_path%3D${schema}`
  return { databaseUrl, drop: () => run(`drop schema ${schema} cascade`) }
}

/** A service with so many mails: the first thousand came in by SMTP, the others are copies of them. */
async function startFilled(open, count) {
  const { drop, ...where } = await open()
  const args = [where.data ?? '', ...(where.databaseUrl ? [where.databaseUrl] : [])]
  const start = () => startProgram([at('service.mjs'), ...args])
  const started = performance.now()
  const first = await start()
  await fill(first.facts, few)
  await search(first.facts, 'word1') // takes all of them into the index
  await first.stop()
  const copies = Math.ceil(count / few) - 1
  if (copies > 0) await runProgram(process.execPath, [at('copy-mail.mjs'), String(copies), ...args])
  const program = await start()
  console.error(`${count} messages in ${Math.round((performance.now() - started) / 1000)} s`)
  return {
    ...program.facts,
    async stop() {
      await program.stop()
      await drop()
    },
  }
}

async function compareRequests(service) {
  const response = await fetch(`${service.url}/account`, {
    headers: { authorization: `Bearer ${service.apiKey}` },
  })
  const bytes = (await response.text()).length
  const reference = await startProgram([at('reference-http.mjs'), String(bytes)])
  const ratios = []
  const ours = []
  for (let round = 0; round <= rounds; round++) {
    const bare = await requestsPerSecond(reference.facts)
    const own = await requestsPerSecond(service)
    if (round === 0) continue
    ratios.push(own / bare)
    ours.push(own)
  }
  await reference.stop()
  return `${Math.round(median(ours))}/s = ${Math.round(median(ratios) * 100)} % of a bare route`
}

const large = many.toLocaleString('en')
console.log(`| figure | at 1,000 messages | at ${large} | growth | aim |\n|---|---|---|---|---|`)
const aims = { search: '≤ 3×' }
const shown = ([p50, p99]) => `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`
for (const [database, open] of [
  ['SQLite', onSqlite],
  ['PostgreSQL', onPostgres],
]) {
  const small = await startFilled(open, few)
  const full = await startFilled(open, many)
  try {
    for (const { name, few, many, growth } of await readFigures([small], [full])) {
      const cells = [`${name}, ${database}, p50 / p99`, shown(few), shown(many), `${growth.toFixed(1)}×`]
      console.log(`| ${cells.join(' | ')} | ${aims[name] ?? '≤ 2×'} |`)
    }
    console.log(`| GET /account, ${database} | ${await compareRequests(small)} | | | ≥ 25 % |`)
  } finally {
    await small.stop()
    await full.stop()
  }
}
