import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from './schema'
import type { Write } from './store'

interface Waiting {
  work: (tx: Transaction<Database>) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/** One piece of work inside the shared transaction: undone alone when it fails. */
async function runInSavepoint(
  tx: Transaction<Database>,
  { work, resolve, reject }: Waiting,
): Promise<() => void> {
  await sql`savepoint one`.execute(tx)
  try {
    const value = await work(tx)
    await sql`release one`.execute(tx)
    return () => resolve(value)
  } catch (error) {
    await sql`rollback to one`.execute(tx)
    await sql`release one`.execute(tx)
    return () => reject(error)
  }
}

/**
 * Lets all writes of one turn of the event loop share a transaction, and so one fsync. Each has a savepoint of
 * its own; nobody hears of success before the commit. The work must wait for nothing but the database, since
 * everything else waits for it.
 */
export function createGroupCommit(db: Kysely<Database>): Write {
  let waiting: Waiting[] = []
  let running = false

  async function commitGroup(group: Waiting[]): Promise<void> {
    try {
      const settle: (() => void)[] = []
      await db.transaction().execute(async (tx) => {
        for (const one of group) settle.push(await runInSavepoint(tx, one))
      })
      for (const tell of settle) tell()
    } catch (error) {
      for (const one of group) one.reject(error)
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      await commitGroup(group)
    }
    running = false
  }

  return <T>(work: (tx: Transaction<Database>) => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ work, resolve: resolve as (value: unknown) => void, reject })
      if (running) return
      running = true
      setImmediate(run)
    })
}
