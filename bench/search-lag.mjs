// node bench/search-lag.mjs [--messages 20000] [--rate 600]: how far the index of words is behind the mail that comes in, one mail at a time
// as where the waking of a loop is measured, so many a second, and as many as the service takes. A search takes in by itself what it lacks.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import Libsql from 'libsql'
import { percentile } from './figures.mjs'
import { residentMb, startProgram } from './processes.mjs'
import { mailAt } from './search/mails.mjs'
import { openDialogue } from './smtp-dialogue.mjs'
import { wakeLatencies } from './wake.mjs'

const { values: given } = parseArgs({
  options: {
    messages: { type: 'string', default: '20000' },
    rate: { type: 'string', multiple: true, default: ['300', '600'] },
  },
})
const lookEveryMs = 200

const data = await mkdtemp(join(tmpdir(), 'restante-search-lag-'))
const program = await startProgram([fileURLToPath(new URL('service.mjs', import.meta.url)), data])
const service = { ...program.facts, pid: program.pid }
const database = new Libsql(join(data, 'restante.sqlite'))
const oldest = database.prepare(
  `select messages.created_at as at from messages left join search_cursors on search_cursors.tenant_id = messages.tenant_id
   where messages.created_seq > coalesce(search_cursors.seq, 0) order by messages.created_seq limit 1`,
)

/** How long the oldest mail that the index lacks has waited, in milliseconds. */
function lagMs() {
  const row = oldest.get([])
  return row === undefined ? 0 : Date.now() - Date.parse(row.at)
}

/** Does some work; the longest that a mail waited meanwhile, and how long it took afterwards until none waited. */
async function lagDuring(work) {
  let most = 0
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      most = Math.max(most, lagMs())
      await pause(lookEveryMs)
    }
  })()
  const answer = await work()
  isOver = true
  await looking
  const endedMs = performance.now()
  while (lagMs() > 0) {
    most = Math.max(most, lagMs())
    await pause(lookEveryMs)
  }
  return { answer, most, afterwards: performance.now() - endedMs }
}

const connections = 10
const line = 'The quick brown fox jumps over the lazy dog while the agent reads its mail.\r\n'
const mail = (id, body) =>
  `From: Ana <ana@example.com>\r\nTo: agent\r\nSubject: Mail ${id}\r\nMessage-ID: <lag-${id}@example.com>\r\n\r\n${body}`
/** Give a mail its text: that of the main bench, or 210 words that hardly come again. */
const bodies = {
  alike: () => line.repeat(50),
  different: (i) => mailAt(i, 'agent').split('\r\n\r\n')[1],
}

/** Sends so many mails over ten connections that are kept; how many a second were taken. */
async function sendAll(count, perSecond, words) {
  const startedMs = performance.now()
  let sent = 0
  const one = async () => {
    const { socket, begin, reply } = await openDialogue(service.smtp)
    while (sent < count) {
      const i = sent++
      const earlyMs = (i / perSecond) * 1_000 - (performance.now() - startedMs)
      if (earlyMs > 0) await pause(earlyMs)
      await begin('ana@example.com', service.address)
      // A mail that came before is not taken in again.
      socket.write(`${mail(`${words}-${perSecond}-${i}`, bodies[words](i))}\r\n.\r\n`)
      await reply()
    }
    socket.end()
  }
  await Promise.all(Array.from({ length: connections }, one))
  return count / ((performance.now() - startedMs) / 1_000)
}

const seconds = (ms) => `${(ms / 1_000).toFixed(1)} s`

try {
  const one = await lagDuring(() => wakeLatencies(service))
  const wake = [0.5, 0.99].map((share) => `${percentile(one.answer, share).toFixed(2)} ms`)
  console.log(
    `one mail at a time: a loop wakes after ${wake.join(' (p50) and ')} (p99); a mail waits at most ${seconds(one.most)} for the index`,
  )
  const floods = [...given.rate.map(Number), Number.POSITIVE_INFINITY]
  for (const words of Object.keys(bodies))
    for (const perSecond of floods) {
      const count = Math.min(Number(given.messages), perSecond * 20)
      const all = await lagDuring(() => sendAll(count, perSecond, words))
      console.log(
        `${count} mails whose words are ${words}, ${Math.round(all.answer)} a second: a mail waits at most ${seconds(all.most)} for the index, which has all ${seconds(all.afterwards)} after the last`,
      )
    }
  console.log(`memory afterwards: ${Math.round(residentMb(service.pid))} MB`)
} finally {
  database.close()
  await program.stop()
  await rm(data, { recursive: true })
}
