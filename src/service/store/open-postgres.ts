import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import { UsageError } from '../../protocol/errors/error'
import { isConflict, outageOf } from '../base/outage'
import { migrate } from './migrate'
import { createDatabaseClock, type DatabaseClock } from './postgres/clock'
import { type Bounds, connectDialect, defaultBounds } from './postgres/connections'
import { createWriteQueues } from './postgres/write-queues'
import { inTransaction, type Store, type Write } from './store'
import type { Database } from './tables/schema'

const maxAttempts = 10

/** Runs each piece of work in a transaction, and again if the database aborted it for another. */
function createWrite(db: Kysely<Database>): Write {
  const inQueue = createWriteQueues()
  async function attempt<T>(work: Parameters<Write>[0]): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await inTransaction(db, work)) as T
      } catch (error) {
        if (!isConflict(error) || attempt === maxAttempts) throw error
      }
    }
  }
  return (work, queue) => (queue === undefined ? attempt(work) : inQueue(queue, () => attempt(work)))
}

/** Returns the URL without its password, which must not reach a log or a terminal. */
const shown = (url: string) => url.replace(/\/\/[^@/]*@/, '//')

/** Connects to a database with any tables. */
export async function connectPostgres(url: string, bounds: Partial<Bounds> = {}): Promise<Kysely<Database>> {
  const dialect = await connectDialect(url, { ...defaultBounds, ...bounds })
  return new Kysely<Database>({ dialect })
}

/** Requires a database on which a service has run. */
async function requireTables(db: Kysely<Database>, url: string): Promise<void> {
  const { rows } = await sql<{ table: unknown }>`select to_regclass('kysely_migration') as table`.execute(db)
  if (rows[0]?.table) return
  throw new UsageError(
    'no_database',
    `No service has run on the database ${shown(url)} yet: check --database-url, and the search_path of its user.`,
  )
}

/** Options of {@link openPostgres}. */
interface OpenOptions extends Partial<Bounds> {
  /** Requires a database on which a service has run, instead of creating its tables. */
  mustExist?: boolean
  /**
   * Called if the database cannot be reached: then it is tried again for a minute. Without it, there is no
   * retry.
   */
  onWait?: ((message: string) => void) | undefined
}

const maxWaitMs = 60_000
const againMs = 1_000

/** Tries again while the database cannot be reached, and reports it once. */
async function untilReachable<T>(
  url: string,
  onWait: OpenOptions['onWait'],
  work: () => Promise<T>,
): Promise<T> {
  const beganMs = performance.now()
  for (let failures = 0; ; failures++) {
    try {
      return await work()
    } catch (error) {
      const isOver = performance.now() - beganMs > maxWaitMs
      if (!onWait || isOver || outageOf(error)?.code !== 'unavailable') throw error
      const reason = (error as Error).message
      if (failures === 0)
        onWait(`The database ${shown(url)} cannot be reached, which is tried for a minute: ${reason}`)
      await pause(againMs)
    }
  }
}

/**
 * Opens PostgreSQL (14 or newer) by its connection URL. Reads and transactions have a pool each, so that
 * waiting for a lock takes no connection from reads.
 *
 * @throws UsageError `database_unreachable`, `no_database`
 */
export async function openPostgres(url: string, options: OpenOptions = {}): Promise<Store> {
  const { mustExist = false, onWait, ...bounds } = options
  const [db, writing] = await Promise.all([connectPostgres(url, bounds), connectPostgres(url, bounds)])
  const end = async () => void (await Promise.all([db.destroy(), writing.destroy()]))
  async function prepare(): Promise<DatabaseClock> {
    if (mustExist) await requireTables(db, url)
    await migrate(db, 'postgres')
    return createDatabaseClock(db)
  }
  let clock: DatabaseClock
  try {
    clock = await untilReachable(url, onWait, prepare)
  } catch (error) {
    await end()
    if (error instanceof UsageError) throw error
    throw new UsageError(
      'database_unreachable',
      `Cannot use the database ${shown(url)}: ${(error as Error).message}. Check --database-url, and that PostgreSQL runs there.`,
      { cause: error },
    )
  }
  return {
    dialect: 'postgres',
    settled: async () => {}, // a commit is visible only once it is on disk
    db,
    write: createWrite(writing),
    clock,
    scrub: async () => true,
    async close() {
      clock.close()
      await end()
    },
  }
}
