// A service that kills itself at the first statement that changes rows after one that changed the table it is given, and
// says so before. What it was doing is not yet committed then.
import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import pg from 'pg'
import { createService, environmentOptions } from 'restante/service'

const [table] = process.argv.slice(2)
// What pollers do on other connections meanwhile is of another transaction.
const changedLast = new WeakMap()

function beforeStatement(sql, connection) {
  const [, changed] = /^\s*(?:insert into|update|delete from)\s+"?(\w+)/i.exec(sql) ?? []
  if (changed === undefined) return
  if (changedLast.get(connection) === table) {
    writeSync(1, `${JSON.stringify({ died: `before ${changed}` })}\n`)
    process.kill(process.pid, 'SIGKILL')
  }
  changedLast.set(connection, changed)
}

const { prototype: libsql } = createRequire(import.meta.url)('libsql')
const { prepare } = libsql
libsql.prepare = function (sql) {
  const statement = prepare.call(this, sql)
  for (const name of ['all', 'get', 'run']) {
    const run = statement[name]
    statement[name] = (...parameters) => {
      beforeStatement(sql, libsql)
      return run.apply(statement, parameters)
    }
  }
  return statement
}

const { query } = pg.Client.prototype
pg.Client.prototype.query = function (sql, ...rest) {
  beforeStatement(typeof sql === 'string' ? sql : (sql.text ?? ''), this)
  return query.call(this, sql, ...rest)
}

const service = await createService(environmentOptions(process.env))
const { url, smtp } = await service.listen()
const { address, inboxId: inbox_id, apiKey: api_key } = await service.home()
writeSync(1, `${JSON.stringify({ url, smtp, address, inbox_id, api_key })}\n`)
process.on('disconnect', () => process.exit(1))
