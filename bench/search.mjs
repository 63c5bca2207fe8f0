// npm run bench:search: how well mail is found, in each mode and on each database, beside plain BM25 of a library in the
// same run. The collections are abstracts and questions of people who judged what answers them; each document is a mail.
import { setTimeout as pause } from 'node:timers/promises'
import MiniSearch from 'minisearch'
import { createService } from 'restante/service'
import { collections } from './search/collections.mjs'
import { openPostgres, openSqlite } from './search/databases.mjs'
import { rankingOf } from './search/ranking.mjs'

const found = collections()
if (found.length === 0) {
  console.log(
    'There are no collections: lay them into ../shared/corpora/search, or name their place with RESTANTE_CORPORA.',
  )
  process.exit(0)
}

const modes = ['keyword', 'semantic', 'hybrid']
/** What a query may have; the questions are longer now and then. */
const maxCharacters = 2_000

const mailOf = (home, { id, title, author, text }) =>
  Buffer.from(
    [
      `From: ${JSON.stringify(author.replace(/[^ -~]/g, '') || 'Nobody')} <author@example.com>`,
      `To: ${home.address}`,
      `Subject: ${title.replace(/[^ -~]/g, ' ')}`,
      `Message-ID: <${id}@documents.example>`,
      'Date: Mon, 5 Jan 2026 10:00:00 +0000',
      'Content-Type: text/plain; charset=utf-8',
      '',
      text,
    ].join('\r\n'),
  )

/** Lays the documents of a collection into a service; returns how it searches them. */
async function lay(service, { documents }) {
  const home = await service.home()
  const envelope = { mailFrom: '', recipients: [home.address], remoteAddress: '127.0.0.1', heloName: 'bench' }
  await Promise.all(
    documents.map((document) => service.receive(envelope, new Uint8Array(mailOf(home, document)))),
  )
  return async (mode, q) => {
    const query = new URLSearchParams({ q: q.slice(0, maxCharacters), mode, limit: '100' })
    const request = new Request(`http://bench/v1/messages?${query}`, {
      headers: { authorization: `Bearer ${home.apiKey}` },
    })
    const answer = await (await service.fetch(request)).json()
    if (!answer.messages) throw new Error(answer.message)
    const ids = answer.messages.map((message) => Number(/\d+/.exec(message.rfc822_message_id)?.[0]))
    return { ids, modeUsed: answer.mode_used }
  }
}

/** The longest until what came last is embedded, where nothing else is to do. */
const embedWithinMs = 15_000

/** Waits for the vectors of what was laid. */
async function untilLearned(search) {
  for (let tries = 0; tries < 600; tries++) {
    if ((await search('semantic', 'anything at all')).modeUsed === 'semantic') return pause(embedWithinMs)
    await pause(500)
  }
  throw new Error('the mail was not embedded within five minutes')
}

function plainBm25({ documents }) {
  const index = new MiniSearch({ fields: ['title', 'author', 'text'] })
  index.addAll(documents)
  return (q) =>
    index
      .search(q)
      .slice(0, 100)
      .map(({ id }) => id)
}

const cell = ({ ndcg, recall, mrr }) => `${ndcg.toFixed(3)} | ${recall.toFixed(3)} | ${mrr.toFixed(3)}`

console.log('| collection | | nDCG@10 | recall@100 | MRR |\n|---|---|---|---|---|')
for (const collection of found) {
  console.log(
    `| ${collection.name} | plain BM25 of MiniSearch | ${cell(await rankingOf(collection, plainBm25(collection)))} |`,
  )
  for (const [name, open] of [
    ['SQLite', openSqlite],
    ['PostgreSQL', openPostgres],
  ]) {
    const database = await open()
    const service = await createService({ ...database.options, log: 'warn' })
    try {
      const search = await lay(service, collection)
      await untilLearned(search)
      for (const mode of modes) {
        const ranking = await rankingOf(collection, async (q) => (await search(mode, q)).ids)
        console.log(`| ${collection.name} | ${mode}, ${name} | ${cell(ranking)} |`)
      }
    } finally {
      await service.close()
      await database.drop()
    }
  }
}
