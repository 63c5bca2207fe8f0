import { chmodSync } from 'node:fs'
import { isRestanteError } from '../../protocol/errors/error'
import { callAdmin } from '../admin/admin-channel'
import { minuteMs } from '../base/time'
import { type BlobSettings, openForReading } from '../store/blobs/open-blobs'
import { openLibsql } from '../store/libsql-database'
import { databaseFile, lockFolder, requireDatabase } from '../store/open-sqlite'
import {
  copyBlobs,
  copySecret,
  namedBlobs,
  type OnCopied,
  takeEmptyFolder,
  writeManifest,
} from './backup-folder'

const heldForMs = 5 * minuteMs

/** Keeps the running service from removing blobs, or else locks the folder. Returns the release. */
async function holdFolder(folder: string): Promise<() => Promise<void>> {
  const hold = (for_ms: number) => callAdmin(folder, { command: 'hold-blobs', for_ms })
  try {
    await hold(heldForMs)
  } catch (error) {
    if (!isRestanteError(error) || error.code !== 'service_not_running') throw error
    const lock = lockFolder(folder)
    return async () => lock.close()
  }
  const timer = setInterval(() => hold(heldForMs).catch(() => {}), heldForMs / 5)
  return async () => {
    clearInterval(timer)
    await hold(0).catch(() => {}) // the service is stopping, or the hold expires by itself
  }
}

/** Copies everything committed at the time of the call, while writes go on. */
function snapshot(folder: string, to: string): void {
  const database = openLibsql(databaseFile(folder))
  try {
    database.exec(`vacuum into '${databaseFile(to).replaceAll("'", "''")}'`)
  } finally {
    database.close()
  }
  chmodSync(databaseFile(to), 0o600)
}

/**
 * Copies a data folder, also while a service runs on it. The copy has the database at one moment, all large
 * messages that it names (also those in a bucket), and the secret.
 *
 * @throws UsageError `no_database`, `folder_not_empty`, `data_folder_in_use`, `backup_damaged`
 */
export async function backUp(
  folder: string,
  to: string,
  onProgress: OnCopied = () => {},
  place?: BlobSettings,
): Promise<{ blobs: number }> {
  requireDatabase(
    folder,
    ' PostgreSQL is backed up with pg_dump, and a copy of the bucket or the blobs folder where one is set.',
  )
  takeEmptyFolder(to)
  const release = await holdFolder(folder)
  try {
    const madeAt = new Date()
    onProgress({ step: 'the database', done: 0 })
    snapshot(folder, to)
    const hashes = namedBlobs(databaseFile(to))
    await copyBlobs(await openForReading(folder, place), to, hashes, onProgress)
    copySecret(folder, to)
    writeManifest(to, madeAt, hashes.length)
    return { blobs: hashes.length }
  } finally {
    await release()
  }
}
