import { closeSync, constants, openSync, readFileSync, write, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from './tables'

/** A commit of a database: they are numbered, without holes. */
export interface Commit {
  number: number
  /** The time of the commit, as ISO 8601. */
  at: string
}

/** Keeps the last commit outside of the database, which can lose its end and still agree with itself. */
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

/** The last commit that was noted in this folder; null where none was. */
export function readWitness(folder: string): Commit | null {
  try {
    return parseCommit(readFileSync(fileOf(folder), 'utf8'))
  } catch {
    return null
  }
}

/**
 * Opens the file, in which `last` is the last commit from now on. It is written without waiting, and after the database is on
 * disk: it may be behind the database, and never before it.
 */
export function openWitness(folder: string, last: Commit | null): Witness {
  const handle = openSync(fileOf(folder), constants.O_RDWR | constants.O_CREAT, 0o600)
  let seen = last ?? { number: 0, at: new Date().toISOString() }
  let written = seen
  writeSync(handle, lineOf(seen), 0, lineBytes, 0)
  let writing: Promise<void> | undefined

  // Where it fails, a later commit may be kept: what is lost is a witness, not mail.
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

/** The last commit that the database holds; null in one that numbered none. */
export async function readLastCommit(db: Kysely<Database>): Promise<Commit | null> {
  try {
    const { rows } = await sql<Commit>`select number, at from last_commit`.execute(db)
    return rows[0] ?? null
  } catch (error) {
    if (/no such table/.test((error as Error).message)) return null
    throw error
  }
}

/** Gives a transaction of SQLite its number. */
export async function numberCommit(tx: Transaction<Database>): Promise<Commit> {
  const at = new Date().toISOString()
  const { rows } = await sql<Commit>`insert into last_commit (id, number, at) values (1, 1, ${at})
    on conflict (id) do update set number = number + 1, at = excluded.at returning number, at`.execute(tx)
  return rows[0]!
}
