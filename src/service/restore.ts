import { copyFileSync, mkdtempSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { copyBlobs, copySecret, namedBlobs, readManifest, takeEmptyFolder } from './backup-folder'
import { heldPrefix } from './core/jobs'
import { openLibsql } from './store/libsql-database'
import { databaseFile } from './store/open-sqlite'

export interface Restored {
  /** When the backup was made. */
  madeAt: string
  blobs: number
  /** Mails that waited to be sent when the backup was made, and are held. */
  held: number
}

/** What waited to be sent has gone out since, most likely: it must not go out twice by itself. */
function holdJobs(file: string): number {
  const database = openLibsql(file)
  try {
    return database
      .prepare(`update jobs set queue = '${heldPrefix}' || queue where queue in ('delivery', 'drafts')`)
      .run([]).changes
  } finally {
    database.close()
  }
}

async function fill(from: string, folder: string, sendPending: boolean): Promise<Restored> {
  const { made_at } = readManifest(from)
  const file = databaseFile(folder)
  copyFileSync(databaseFile(from), file)
  const hashes = namedBlobs(file)
  await copyBlobs(from, folder, hashes)
  copySecret(from, folder)
  return { madeAt: made_at, blobs: hashes.length, held: sendPending ? 0 : holdJobs(file) }
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
