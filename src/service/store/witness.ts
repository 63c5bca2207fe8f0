import { closeSync, constants, fsyncSync, openSync, readFileSync, write, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from './tables/schema'

/** A commit of a database; the numbers have no gaps. */
export interface Commit {
  number: number
  /** Time of the commit, as ISO 8601. */
  at: string
}

/** Record of the last commit outside the database, which can lose its end and still be consistent. */
export interface Witness {
  /** Notes a commit that is on disk. */
  saw(commit: Commit): void
  close(): Promise<void>
}

const fileOf = (folder: string) => join(folder, 'witness')
const lineBytes = 64
const lineOf = ({ number, at }: Commit) => Buffer.from(`${`${number} ${at}`.padEnd(lineBytes - 1)}\n`)

const parseCommit = (text: string): Commit | null => {
  const [, number, at] = /^(\d+) (\S+)\s*$/.exec(text) ?? []
  return number === undefined ? null : { number: Number(number), at: at! }
}

/** Returns the last commit noted in this folder; null if there is none. */
export function readWitness(folder: string): Commit | null {
  try {
    return parseCommit(readFileSync(fileOf(folder), 'utf8'))
  } catch {
    return null
  }
}

/**
 * Opens the file, and sets its last commit to `last`. Later writes are asynchronous, after the database is on
 * disk: the witness may be behind the database, never ahead.
 */
export function openWitness(folder: string, last: Commit | null): Witness {
  const handle = openSync(fileOf(folder), constants.O_RDWR | constants.O_CREAT, 0o600)
  let seen = last ?? { number: 0, at: new Date().toISOString() }
  let written = seen
  writeSync(handle, lineOf(seen), 0, lineBytes, 0)
  // Later lines are not synced, but after a power loss there is a witness.
  fsyncSync(handle)
  let writing: Promise<void> | undefined

  // If it fails, a later commit may be written: only the witness is behind, no message is lost.
  const writeLine = (commit: Commit) =>
    new Promise<void>((resolve) => write(handle, lineOf(commit), 0, lineBytes, 0, () => resolve()))

  async function keep(): Promise<void> {
    while (seen !== written) {
      const commit = seen
      await writeLine(commit)
      written = commit
    }
    writing = undefined
  }

  return {
    saw(commit) {
      if (commit.number <= seen.number) return
      seen = commit
      writing ??= keep()
    },
    async close() {
      await writing
      closeSync(handle)
    },
  }
}

/** Returns the last commit of the database; null if it has numbered none. */
export async function readLastCommit(db: Kysely<Database>): Promise<Commit | null> {
  try {
    const { rows } = await sql<Commit>`select number, at from last_commit`.execute(db)
    return rows[0] ?? null
  } catch (error) {
    if (/no such table/.test((error as Error).message)) return null
    throw error
  }
}

/** Numbers a transaction of SQLite. */
export async function numberCommit(tx: Transaction<Database>): Promise<Commit> {
  const at = new Date().toISOString()
  const { rows } = await sql<Commit>`insert into last_commit (id, number, at) values (1, 1, ${at})
    on conflict (id) do update set number = number + 1, at = excluded.at returning number, at`.execute(tx)
  return rows[0]!
}
