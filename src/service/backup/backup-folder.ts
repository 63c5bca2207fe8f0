import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../protocol/errors/error'
import { sha256 } from '../base/secrets'
import type { BlobStore } from '../ports'
import { createFileBlobs } from '../store/blobs/own-blobs'
import { openLibsql } from '../store/libsql-database'

/** Description of a backup. It is written last, so a folder that has it is complete. */
interface Manifest {
  format: 1
  made_at: string
  blobs: number
}

const secretFile = (folder: string): string => join(folder, 'secret')
const manifestFile = (folder: string) => join(folder, 'backup.json')

/** Creates a folder, or accepts an empty one. @throws UsageError `folder_not_empty` */
export function takeEmptyFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (readdirSync(folder).length > 0)
    throw new UsageError('folder_not_empty', `There is something in ${folder}: name a new folder.`)
}

export function writeManifest(folder: string, madeAt: Date, blobs: number): void {
  const manifest: Manifest = { format: 1, made_at: madeAt.toISOString(), blobs }
  writeFileSync(manifestFile(folder), `${JSON.stringify(manifest)}\n`, { mode: 0o600, flush: true })
}

/** @throws UsageError `not_a_backup` */
export function readManifest(folder: string): Manifest {
  try {
    const manifest = JSON.parse(readFileSync(manifestFile(folder), 'utf8')) as Manifest
    if (manifest.format === 1) return manifest
  } catch {}
  throw new UsageError(
    'not_a_backup',
    `${folder} holds no whole backup of this version: name a folder that restante backup has finished.`,
  )
}

/** Returns the hashes of the blobs that rows of a database name. @throws UsageError `backup_damaged` */
export function namedBlobs(file: string): string[] {
  const database = openLibsql(file)
  try {
    const [checked] = database.prepare('pragma integrity_check').all([])
    if (checked?.integrity_check !== 'ok') throw new Error(String(checked?.integrity_check))
    const tables = database
      .prepare(
        "select m.name from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table' and c.name = 'blob_hash'",
      )
      .all([])
    const hashes = tables.flatMap(({ name }) =>
      database.prepare(`select distinct blob_hash from ${name} where blob_hash is not null`).all([]),
    )
    return [...new Set(hashes.map((row) => String(row.blob_hash)))]
  } catch (error) {
    throw new UsageError('backup_damaged', `The database ${file} is damaged: ${(error as Error).message}`, {
      cause: error,
    })
  } finally {
    database.close()
  }
}

/** Called with the progress of a backup or restore; `of` is the total, if known. */
export type OnCopied = (progress: { step: string; done: number; of?: number }) => void

/** Returns the store of the large messages in a folder. */
export const blobsIn = (folder: string): BlobStore => createFileBlobs(join(folder, 'blobs'))

/** Copies blobs to a folder and verifies each. @throws UsageError `backup_damaged` */
export async function copyBlobs(
  source: Pick<BlobStore, 'read'>,
  to: string,
  hashes: readonly string[],
  onProgress: OnCopied = () => {},
): Promise<void> {
  const target = blobsIn(to)
  for (const [done, hash] of hashes.entries()) {
    onProgress({ step: 'large mails', done, of: hashes.length })
    const content = await source.read(hash)
    if (!content || sha256(content) !== hash)
      throw new UsageError(
        'backup_damaged',
        `The large mail ${hash} is ${content ? 'damaged' : 'missing. If large messages are in a bucket, set RESTANTE_BLOBS'}.`,
      )
    await target.write(hash, content)
  }
}

/** Copies the secret, if it is in the folder, since keys are derived from it. */
export function copySecret(from: string, to: string): void {
  if (existsSync(secretFile(from)))
    writeFileSync(secretFile(to), readFileSync(secretFile(from)), { mode: 0o600, flush: true })
}
