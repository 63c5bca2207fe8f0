import { copyFileSync, mkdtempSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { copyBlobs, copySecret, namedBlobs, readManifest, takeEmptyFolder } from './backup-folder'
import { holdRestoredJobs } from './core/jobs'
import { databaseFile, openSqlite } from './store/open-sqlite'

export interface Restored {
  /** When the backup was made. */
  madeAt: string
  blobs: number
  /** Mails that waited to be sent when the backup was made, and are held. */
  held: number
}

/** The tables are brought to those of today first, as the next start would. */
async function holdJobs(folder: string): Promise<number> {
  const store = await openSqlite(folder)
  return holdRestoredJobs(store).finally(() => store.close())
}

async function fill(from: string, folder: string, sendPending: boolean): Promise<Restored> {
  const { made_at } = readManifest(from)
  const file = databaseFile(folder)
  copyFileSync(databaseFile(from), file)
  const hashes = namedBlobs(file)
  await copyBlobs(from, folder, hashes)
  copySecret(from, folder)
  return { madeAt: made_at, blobs: hashes.length, held: sendPending ? 0 : await holdJobs(folder) }
}

/**
 * Makes a data folder from a backup, all of it or nothing; everything is looked at. Mail that waited to be sent is
 * held, unless `sendPending`.
 *
 * @throws UsageError `not_a_backup`, `backup_damaged`, `folder_not_empty`
 */
export async function restore(
  from: string,
  folder: string,
  { sendPending = false }: { sendPending?: boolean } = {},
): Promise<Restored> {
  takeEmptyFolder(folder)
  const beside = mkdtempSync(resolve(dirname(resolve(folder)), '.restore-'))
  try {
    const restored = await fill(from, beside, sendPending)
    rmdirSync(folder)
    renameSync(beside, folder)
    return restored
  } finally {
    rmSync(beside, { recursive: true, force: true })
  }
}
