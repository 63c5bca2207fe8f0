import { type Kysely, sql, type Transaction } from 'kysely'
import { inTransaction, type Write } from './store'
import type { Database } from './tables/schema'
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
/** Time after which a transaction begins no further work: SQLite runs on the main thread. */
const maxGroupMs = 25

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

/** Runs work of a group in order, until the time of a transaction is over. */
async function runGroup(tx: Transaction<Database>, group: readonly Waiting[]): Promise<(() => void)[]> {
  if (group.length === 1) return [await runAlone(tx, group[0]!)]
  const settle: (() => void)[] = []
  const endsAtMs = performance.now() + maxGroupMs
  for (const one of group) {
    if (settle.length > 0 && performance.now() > endsAtMs) break
    settle.push(await runInSavepoint(tx, one))
  }
  return settle
}

/** The newest write: all others end before it. */
class NewestWrite {
  #newest: Promise<unknown> = Promise.resolve()

  note(write: Promise<unknown>): void {
    this.#newest = write.catch(() => {})
  }

  /** Resolves once no write waits. */
  async drained(): Promise<void> {
    for (let seen: unknown; seen !== this.#newest; ) {
      seen = this.#newest
      await seen
    }
  }
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

/** Writes of a database. */
interface GroupCommit {
  write: Write
  /** Resolves once no write waits or runs. */
  drained(): Promise<void>
}

/**
 * Runs all writes of one turn of the event loop, and those that come meanwhile, in one transaction. Each of
 * several has its own savepoint, and success is reported only once the commit is on disk. The work must wait
 * only for the database, since everything else waits for it. If it takes long, the next turn of the event loop
 * commits the rest.
 */
export function createGroupCommit(
  db: Kysely<Database>,
  { settled, number, onCommit }: CommitOptions,
): GroupCommit {
  let waiting: Waiting[] = []
  const newest = new NewestWrite()
  let isDue = false

  function takeGroup(): Waiting[] {
    const group = waiting
    waiting = []
    isDue = false
    return group
  }

  function schedule(): void {
    if (isDue) return
    isDue = true
    setImmediate(commitGroup)
  }

  /** Keeps work that found no time for the next transaction. */
  function returnLate(late: Waiting[]): void {
    if (late.length === 0) return
    waiting.unshift(...late)
    schedule()
  }

  async function commitGroup(): Promise<void> {
    let group: Waiting[] | undefined
    try {
      let settle: (() => void)[] = []
      const commit = await inTransaction(db, async (tx) => {
        group = takeGroup()
        settle = await runGroup(tx, group)
        returnLate(group.splice(settle.length))
        return number(tx)
      })
      await settled()
      for (const tell of settle) tell()
      onCommit(commit)
    } catch (error) {
      for (const one of group ?? takeGroup()) one.reject(error)
    }
  }

  const write: Write = <T>(work: (tx: Transaction<Database>) => Promise<T>) => {
    const written = new Promise<T>((resolve, reject) => {
      waiting.push({ work, resolve: resolve as (value: unknown) => void, reject })
      schedule()
    })
    newest.note(written)
    return written
  }

  return { write, drained: () => newest.drained() }
}
