// Makes many mails of few, in the database of a service that is stopped: the rows of an account are copied within its database, which takes seconds where SMTP takes
// a quarter of an hour. Copies have ids, positions and Message-IDs of their own, and words that are as common as before; the service takes them into its search index when it starts.
import { join } from 'node:path'
import Libsql from 'libsql'
import pg from 'pg'

/** Gives a column as it is in the copy of the number k. */
const copied = {
  // In the order of the copies, as ids are.
  ...Object.fromEntries(
    ['id', 'message_id', 'thread_id', 'last_message_id'].map((name) => [
      name,
      `substr(${name}, 1, 4) || '0' || cast(1000 + k as text) || substr(${name}, 5)`,
    ]),
  ),
  rfc822_message_id: `cast(k as text) || '.' || rfc822_message_id`,
  ...Object.fromEntries(
    ['seq', 'created_seq', 'last_message_created_seq'].map((name) => [
      name,
      `${name} + k * (select max(seq) from accounts)`,
    ]),
  ),
}
const tables = ['threads', 'thread_keys', 'messages', 'events']

const numbers = (copies) =>
  `with recursive copies(k) as (select 1 union all select k + 1 from copies where k < ${copies})`

function copyStatement(table, columns, copies) {
  const values = columns.map((name) => copied[name] ?? name)
  return `insert into ${table} (${columns}) ${numbers(copies)} select ${values} from ${table}, copies order by k`
}

const lastStatements = (copies) => [
  `update accounts set seq = seq * ${copies + 1} where tenant_id in (select tenant_id from messages)`,
]

function copyInSqlite(folder, copies) {
  const database = new Libsql(join(folder, 'restante.sqlite'))
  const columnsOf = (table) =>
    database
      .prepare(`select name from pragma_table_info('${table}')`)
      .all([])
      .map(({ name }) => name)
  const statements = [
    'begin',
    ...tables.map((table) => copyStatement(table, columnsOf(table), copies)),
    ...lastStatements(copies),
    'commit',
  ]
  for (const statement of statements) database.exec(statement)
  database.close()
}

async function copyInPostgres(url, copies) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const run = async (statement, values) => (await client.query(statement, values)).rows
  for (const table of tables) {
    const columns = await run(
      'select column_name as name from information_schema.columns where table_schema = current_schema() and table_name = $1',
      [table],
    )
    await run(
      copyStatement(
        table,
        columns.map(({ name }) => name),
        copies,
      ),
    )
  }
  for (const statement of lastStatements(copies)) await run(statement)
  await run('analyze') // what autovacuum does within a minute
  await client.end()
}

const [copies, data, databaseUrl] = process.argv.slice(2)
if (databaseUrl === undefined) copyInSqlite(data, Number(copies))
else await copyInPostgres(databaseUrl, Number(copies))
