import { copyFileSync, mkdtempSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { holdRestoredJobs } from '../../jobs'
import { beginLogEpoch } from '../../log'
import { databaseFile, openSqlite } from '../../store'
import {
  blobsIn,
  copyBlobs,
  copySecret,
  namedBlobs,
  type OnCopied,
  readManifest,
  takeEmptyFolder,
} from './backup-folder'

interface Restored {
  /** The time when the backup was made, ISO 8601. */
  madeAt: string
  blobs: number
  /** Mails that waited to be sent when the backup was made, and are held. */
  held: number
}

interface RestoreOptions {
  /** Let mail go out that waited when the backup was made. */
  sendPending?: boolean
  onProgress?: OnCopied
}

/**
 * Opens the folder as the next start will: the tables are brought to those of today, and the last commit is written down.
 *
 * @returns the number of mails that it holds
 */
async function open(folder: string, sendPending: boolean): Promise<number> {
  const store = await openSqlite(folder, { acceptLoss: true })
  try {
    await beginLogEpoch(store)
    return sendPending ? 0 : await holdRestoredJobs(store)
  } finally {
    await store.close()
  }
}

async function fill(
  from: string,
  folder: string,
  { sendPending = false, onProgress = () => {} }: RestoreOptions,
): Promise<Restored> {
  const { made_at } = readManifest(from)
  const file = databaseFile(folder)
  onProgress({ step: 'the database', done: 0 })
  copyFileSync(databaseFile(from), file)
  const hashes = namedBlobs(file)
  await copyBlobs(blobsIn(from), folder, hashes, onProgress)
  copySecret(from, folder)
  return { madeAt: made_at, blobs: hashes.length, held: await open(folder, sendPending) }
}

/**
 * Makes a data folder from a backup, all of it or nothing; everything is looked at. Mail that waited to be sent is
 * held, unless `sendPending`.
 *
 * @throws UsageError `not_a_backup`, `backup_damaged`, `folder_not_empty`
 */
export async function restore(from: string, folder: string, options: RestoreOptions = {}): Promise<Restored> {
  takeEmptyFolder(folder)
  const beside = mkdtempSync(resolve(dirname(resolve(folder)), '.restore-'))
  try {
    const restored = await fill(from, beside, options)
    rmdirSync(folder)
    renameSync(beside, folder)
    return restored
  } finally {
    rmSync(beside, { recursive: true, force: true })
  }
}
