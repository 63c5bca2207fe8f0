import type { ServiceOptions } from 'restante/service'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { OpenDatabase, TestDatabase } from './databases'

/** How long a database and its services live. */
const perTest = { before: beforeEach, after: afterEach }
/** For tests that share one service and take accounts or names of their own. */
export const perBlock = { before: beforeAll, after: afterAll }

/** A database, and the services that were started on it: all of it ends by itself. */
export interface UsedDatabase {
  readonly options: ServiceOptions
  start<T extends AsyncDisposable>(begin: (options: ServiceOptions) => Promise<T>): Promise<T>
}

/** Opens a database before the tests of the block that calls it. */
export function useDatabase(openDatabase: OpenDatabase, { before, after } = perTest): UsedDatabase {
  let database: TestDatabase
  let running: AsyncDisposable[]
  before(async () => {
    running = []
    database = await openDatabase()
  })
  after(async () => {
    for (const service of running) await service[Symbol.asyncDispose]()
    await database.drop()
  })
  return {
    get options() {
      return database.options
    },
    async start(begin) {
      const service = await begin(database.options)
      running.push(service)
      return service
    },
  }
}

/** Stands for what is another one in each test. */
const currently = <T extends object>(current: () => T): T =>
  new Proxy({} as T, { get: (_, name) => Reflect.get(current(), name) })

/** Starts a service on a database of its own before the tests of the block that calls it. */
export function useService<T extends AsyncDisposable>(
  openDatabase: OpenDatabase,
  begin: (options: ServiceOptions) => Promise<T>,
  life = perTest,
): { readonly service: T; readonly database: UsedDatabase } {
  const database = useDatabase(openDatabase, life)
  let service: T
  life.before(async () => {
    service = await database.start(begin)
  })
  return { service: currently(() => service), database }
}
