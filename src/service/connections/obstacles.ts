import type { Selectable } from 'kysely'
import type { ConnectionFolderTable } from '../store/tables/connection-tables'

type FolderRow = Selectable<ConnectionFolderTable>

/** Failures of messages that are fetched together, before they are fetched one by one. */
export const maxTogether = 3
/** Failures before only the header of a message is fetched. */
export const maxWhole = 5
/** Failures before a message is skipped. */
export const maxFailures = 6
/** Maximum number of skipped messages in one folder: beyond it, the fault is not theirs. */
export const maxSkipped = 100

/** Messages that could not be read, and block all later ones. */
export interface Obstacle {
  /** UID of the last message that may be the reason. */
  upTo: number
  /** Failures since the position last moved. */
  failures: number
  /** Description of the last failure. */
  reason: string
}

/** A skipped message, which its server withholds. */
export interface SkippedMail {
  uid: number
  reason: string
  /** Time in ISO 8601. */
  at: string
  /** True if it is to be tried again. */
  again?: true
}

/** Returns the obstacle after the position of a folder; null if there is none. */
export function obstacleOf({ obstacle, uid }: Pick<FolderRow, 'obstacle' | 'uid'>): Obstacle | null {
  const found = obstacle === null ? null : (JSON.parse(obstacle) as Obstacle)
  return found && found.upTo > uid ? found : null
}

/** Adds a failure to read messages up to a UID. */
export function failedAt(folder: FolderRow, upTo: number, reason: string): Pick<FolderRow, 'obstacle'> {
  const before = obstacleOf(folder)
  const found: Obstacle = {
    upTo: Math.max(upTo, before?.upTo ?? 0),
    failures: (before?.failures ?? 0) + 1,
    reason,
  }
  return { obstacle: JSON.stringify(found) }
}

/**
 * Returns the rest of an obstacle when the position moves: messages are fetched one by one until all of it is
 * passed.
 */
export function passed(folder: FolderRow, upTo: number): Pick<FolderRow, 'obstacle'> {
  const before = obstacleOf(folder)
  if (!before || before.upTo <= upTo || before.failures < maxTogether) return { obstacle: null }
  return { obstacle: JSON.stringify({ ...before, failures: maxTogether }) }
}

/** Returns the skipped messages of a folder, oldest first. */
export const skippedOf = ({ skipped }: Pick<FolderRow, 'skipped'>): SkippedMail[] =>
  skipped === null ? [] : JSON.parse(skipped)

export const writeSkipped = (mails: readonly SkippedMail[]): Pick<FolderRow, 'skipped'> => ({
  skipped: mails.length === 0 ? null : JSON.stringify(mails),
})

/** Describes UIDs for people. */
export const wordsOfUids = (uids: readonly number[]): string =>
  uids.length === 1 ? `UID ${uids[0]}` : `UIDs ${uids[0]} to ${uids.at(-1)}`

/** Describes the skipped messages of a mailbox; null if there are none. */
export function wordsOfSkipped(folders: readonly FolderRow[], id: string): string | null {
  const all = folders.flatMap((folder) => skippedOf(folder).map(({ uid }) => `UID ${uid} of ${folder.path}`))
  if (all.length === 0) return null
  const named = all.slice(0, 5).join(', ') + (all.length > 5 ? ' …' : '')
  const mails = all.length === 1 ? '1 mail was' : `${all.length} mails were`
  return `${mails} skipped, since the server does not give ${all.length === 1 ? 'it' : 'them'}: ${named}. All else came in. restante connect retry ${id} tries again.`
}
