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

/** The only piece of work of a transaction, which is undone where it fails. */
async function runAlone(tx: Transaction<Database>, { work, resolve }: Waiting): Promise<() => void> {
  const value = await work(tx)
  return () => resolve(value)
}

/** What a commit brings with it. */
export interface CommitOptions {
  /** Resolves once what was committed until now is on disk. */
  settled: () => Promise<void>
  onCommit: () => void
}

/**
 * Lets all writes of one turn of the event loop, or that come while others are carried out, share a transaction. Each
 * of several has a savepoint of its own; nobody hears of success before the commit is on disk. The work must wait for nothing
 * but the database, since everything else waits for it.
 */
export function createGroupCommit(db: Kysely<Database>, { settled, onCommit }: CommitOptions): Write {
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
      await db.transaction().execute(async (tx) => {
        group = takeGroup()
        if (group.length === 1) settle.push(await runAlone(tx, group[0]!))
        else for (const one of group) settle.push(await runInSavepoint(tx, one))
      })
      await settled()
      for (const tell of settle) tell()
      onCommit()
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
