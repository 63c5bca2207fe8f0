import { type Kysely, sql, type Transaction } from 'kysely'
import { inTransaction, type Write } from './store'
import type { Database } from './tables'
import type { Commit } from './witness'

interface Waiting {
  work: (tx: Transaction<Database>) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/**
 * Runs one piece of work inside the shared transaction; a failure undoes only that piece. If this is
 * impossible, the database has aborted the whole transaction, as on a full disk: then nothing more may be
 * written in it.
 */
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
    try {
      await sql`rollback to one`.execute(tx)
      await sql`release one`.execute(tx)
    } catch {
      throw error
    }
    return () => reject(error)
  }
}

/** Runs the only piece of work of a transaction, which a failure undoes. */
async function runAlone(tx: Transaction<Database>, { work, resolve }: Waiting): Promise<() => void> {
  const value = await work(tx)
  return () => resolve(value)
}

/** Parts of a commit. */
interface CommitOptions {
  /** Resolves once earlier commits are on disk. */
  settled: () => Promise<void>
  /** Numbers a transaction, as its last part. */
  number: (tx: Transaction<Database>) => Promise<Commit>
  /** Called with each commit once it is on disk. */
  onCommit: (commit: Commit) => void
}

/**
 * Runs all writes of one turn of the event loop, and those that come meanwhile, in one transaction. Each of
 * several has its own savepoint, and success is reported only once the commit is on disk. The work must wait
 * only for the database, since everything else waits for it.
 */
export function createGroupCommit(db: Kysely<Database>, { settled, number, onCommit }: CommitOptions): Write {
  let waiting: Waiting[] = []
  let isDue = false

  function takeGroup(): Waiting[] {
    const group = waiting
    waiting = []
    isDue = false
    return group
  }

  async function commitGroup(): Promise<void> {
    let group: Waiting[] | undefined
    try {
      const settle: (() => void)[] = []
      const commit = await inTransaction(db, async (tx) => {
        group = takeGroup()
        if (group.length === 1) settle.push(await runAlone(tx, group[0]!))
        else for (const one of group) settle.push(await runInSavepoint(tx, one))
        return number(tx)
      })
      await settled()
      for (const tell of settle) tell()
      onCommit(commit)
    } catch (error) {
      for (const one of group ?? takeGroup()) one.reject(error)
    }
  }

  return <T>(work: (tx: Transaction<Database>) => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ work, resolve: resolve as (value: unknown) => void, reject })
      if (isDue) return
      isDue = true
      setImmediate(commitGroup)
    })
}
