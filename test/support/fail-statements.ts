import { type CompiledQuery, type DatabaseConnection, PostgresDriver, SqliteDriver } from 'kysely'
import { vi } from 'vitest'

/** Statements that change rows, in every database that this test file opens. */
export interface FailingStatements {
  /** Lets the nth of them from now on fail, once; null for none. */
  failAt(nth: number | null): void
  /** Whether it has failed. */
  readonly hasFailed: boolean
  restore(): void
}

const changesRows = ({ sql }: CompiledQuery) => /^\s*(insert|update|delete)\b/i.test(sql)

/** Stands between Kysely and its drivers. */
export function failStatements(): FailingStatements {
  let left: number | null = null
  let hasFailed = false
  const wrapped = new WeakSet<DatabaseConnection>()
  function wrap(connection: DatabaseConnection): DatabaseConnection {
    if (wrapped.has(connection)) return connection
    wrapped.add(connection)
    const execute = connection.executeQuery.bind(connection)
    connection.executeQuery = async (query) => {
      if (left !== null && changesRows(query) && --left === 0) {
        left = null
        hasFailed = true
        throw new Error(`fails in a test: ${query.sql.slice(0, 80)}`)
      }
      return execute(query)
    }
    return connection
  }
  const spies = [SqliteDriver.prototype, PostgresDriver.prototype].map((driver) => {
    const acquire = driver.acquireConnection
    return vi.spyOn(driver, 'acquireConnection').mockImplementation(async function (this: typeof driver) {
      return wrap(await acquire.call(this as never))
    })
  })
  return {
    failAt(nth) {
      left = nth
      hasFailed = false
    },
    get hasFailed() {
      return hasFailed
    },
    restore() {
      for (const spy of spies) spy.mockRestore()
    },
  }
}
