// node bench/crowded.mjs [--accounts 10000] [--mails 100]   (after npm run build)
// What agents wait for where many others have their mail in the same PostgreSQL, beside ten accounts with as much each:
// the rows of one account are copied, its words and all; 10,000 accounts of 100 mails take some 5 GB and minutes.
import { parseArgs } from 'node:util'
import { createService } from 'restante/service'
import { createDatabase, startNode } from './cluster.mjs'
import { readFigures } from './reads.mjs'
import { mailAt } from './search/mails.mjs'

const { values: given } = parseArgs({
  options: {
    accounts: { type: 'string', default: '10000' },
    mails: { type: 'string', default: '100' },
  },
})
const few = 10
/** Accounts that are asked: more than a database keeps at hand by chance. */
const asked = 300

/** Gives a column as it is in the copy of the number k. */
const copied = {
  tenant_id: `'acc_copy' || lpad(k::text, 12, '0')`,
  address: `'agent' || k || substr(address, strpos(address, '@'))`,
}
const copiedTables = ['accounts', 'addresses', 'inboxes', 'threads', 'thread_keys', 'messages', 'events']
const searchTables = ['search_cursors', 'search_segments', 'search_blocks', 'search_models', 'search_vectors']
const accountsAtOnce = 500

async function copyAccounts({ query }, count) {
  const copyOf = async (table) => {
    const rows = await query(
      'select column_name as name from information_schema.columns where table_schema = current_schema() and table_name = $1',
      [table],
    )
    const columns = rows.map(({ name }) => name)
    return `insert into ${table} (${columns}) select ${columns.map((name) => copied[name] ?? name)}
      from ${table}, generate_series($1::int, $2::int) k where tenant_id not like 'acc_copy%'`
  }
  const statements = await Promise.all([...copiedTables, ...searchTables].map(copyOf))
  for (let from = 1; from <= count; from += accountsAtOnce)
    for (const statement of statements)
      await query(statement, [from, Math.min(count, from + accountsAtOnce - 1)])
  await query('analyze') // what autovacuum does within a minute
}

const optionsOf = ({ url }) => ({ databaseUrl: url, secret: 'a secret of the benches', log: 'warn' })

/** Lays accounts in a database of its own; keys of some of them, from all over. */
async function lay(database, count) {
  const first = await createService(optionsOf(database))
  const { address } = await first.home()
  for (let i = 0; i < Number(given.mails); i++)
    await first.receive(
      { mailFrom: 'ana@example.com', recipients: [address] },
      new TextEncoder().encode(mailAt(i, address, 4)),
    )
  const isIndexed = `select 1 from accounts a join search_cursors c using (tenant_id) where a.seq = c.seq`
  while ((await database.query(isIndexed)).length === 0) await new Promise(setImmediate)
  await first.close()
  await copyAccounts(database, count)
  const service = await createService(optionsOf(database))
  const keys = []
  const step = Math.max(1, Math.floor(count / asked))
  for (let k = 1; k <= count && keys.length < asked; k += step) {
    const account_id = `acc_copy${String(k).padStart(12, '0')}`
    const scopes = ['read', 'send', 'manage']
    keys.push((await service.keys.create({ account_id, name: 'bench', scopes })).api_key)
  }
  await service.close()
  return keys
}

const places = []
try {
  for (const count of [few, Number(given.accounts)]) {
    const database = await createDatabase()
    const place = { database }
    places.push(place)
    const startedMs = performance.now()
    const keys = await lay(database, count)
    place.node = await startNode(database.url, { RESTANTE_LOG: 'warn' })
    place.accounts = keys.map((apiKey) => ({ url: place.node.facts.url, apiKey }))
    const [{ messages, size }] = await database.query(
      'select count(*)::int as messages, pg_size_pretty(pg_database_size(current_database())) as size from messages',
    )
    const seconds = Math.round((performance.now() - startedMs) / 1_000)
    console.log(`${count} accounts, ${messages} messages, ${size}, laid in ${seconds} s`)
  }
  console.log('\n| call | p50 of few | p50 of many | growth | p99 of few | p99 of many |')
  console.log('|---|---|---|---|---|---|')
  for (const { name, few, many, growth } of await readFigures(...places.map(({ accounts }) => accounts))) {
    const cells = [few[0], many[0]].map((ms) => `${ms.toFixed(1)} ms`)
    const tails = [few[1], many[1]].map((ms) => `${ms.toFixed(1)} ms`)
    console.log(`| ${[name, ...cells, `${growth.toFixed(2)}×`, ...tails].join(' | ')} |`)
  }
} finally {
  for (const { node, database } of places) {
    await node?.stop()
    await database.drop()
  }
}
