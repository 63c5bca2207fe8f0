import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { systemClock, timeOf } from '../../base/time'
import { joined } from '../../base/turns'
import type { BlobStore } from '../../ports'
import type { BlobRows } from './ports'

const missingIsNull = (error: NodeJS.ErrnoException) => {
  if (error.code === 'ENOENT') return null
  throw error
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

async function writeSynced(file: string, content: Uint8Array): Promise<void> {
  const handle = await open(file, 'w', 0o600)
  await handle
    .writeFile(content)
    .then(() => handle.sync())
    .finally(() => handle.close())
}

/** Blobs that can be listed, to be moved elsewhere. */
export interface ListedBlobs extends BlobStore {
  /** Lists all hashes in pages; blobs added meanwhile may be included. */
  hashes(): AsyncIterable<string[]>
}

const pageRows = 500
const isHash = (name: string) => /^[\da-f]{64}$/.test(name)

/** Blobs as files in a folder, two levels deep; each is complete and on disk before it gets its name. */
export function createFileBlobs(folder: string): ListedBlobs {
  const fileOf = (hash: string) => join(folder, hash.slice(0, 2), hash)
  return {
    async write(hash, content) {
      const file = fileOf(hash)
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      const draft = `${file}.${randomBytes(6).toString('hex')}`
      await writeSynced(draft, content)
      await rename(draft, file)
      await syncFolder(dirname(file))
    },
    read: (hash) => readFile(fileOf(hash)).catch(missingIsNull),
    async delete(hash, writtenBefore) {
      const file = fileOf(hash)
      const aside = `${file}.${randomBytes(6).toString('hex')}`
      if ((await rename(file, aside).catch(missingIsNull)) === null) return
      // Moved aside, away from a concurrent write of the same bytes; a newer file goes back.
      const { mtime } = await stat(aside)
      if (writtenBefore && mtime >= writtenBefore) await rename(aside, file)
      else await rm(aside, { force: true })
    },
    async *hashes() {
      const folders = (await readdir(folder).catch(missingIsNull)) ?? []
      for (const one of folders.sort()) yield (await readdir(join(folder, one))).filter(isHash)
    },
  }
}

/** Bytes of a row: the main thread encodes and decodes a row in one turn of the event loop. */
const rowBytes = 1024 * 1024
/** Key of a row of large content. The last row is shorter than the others. */
const rowOf = (hash: string, position: number) => `${hash}.${position}`

async function writeRow(store: BlobRows, hash: string, content: Uint8Array): Promise<void> {
  const written_at = timeOf((store.clock ?? systemClock).now())
  await store.write((tx) =>
    tx
      .insertInto('blobs')
      .values({ hash, content, written_at })
      .onConflict((conflict) => conflict.column('hash').doUpdateSet({ written_at }))
      .execute(),
  )
}

async function readRow({ db }: BlobRows, hash: string): Promise<Uint8Array | null> {
  const query = db.selectFrom('blobs').select('content').where('hash', '=', hash)
  return (await query.executeTakeFirst())?.content ?? null
}

/**
 * Blobs as rows of the database, available to every node and in every dump. Small content is one row with its
 * hash as the key. Large content is several rows, and their keys have the position after the hash.
 */
export function createDatabaseBlobs(store: BlobRows): ListedBlobs {
  return {
    async write(hash, content) {
      if (content.byteLength <= rowBytes) return writeRow(store, hash, content)
      // The first row is written last: it shows that all are there.
      for (let position = Math.floor(content.byteLength / rowBytes); position >= 0; position--)
        await writeRow(
          store,
          rowOf(hash, position),
          content.subarray(position * rowBytes, (position + 1) * rowBytes),
        )
    },
    async read(hash) {
      const whole = await readRow(store, hash)
      if (whole) return whole
      const rows: Uint8Array[] = []
      do {
        const row = await readRow(store, rowOf(hash, rows.length))
        if (!row) return null
        rows.push(row)
      } while (rows.at(-1)!.byteLength === rowBytes)
      return joined(rows)
    },
    async delete(hash, writtenBefore) {
      await store.write((tx) =>
        tx
          .deleteFrom('blobs')
          .where((where) =>
            where.or([
              where('hash', '=', hash),
              where.and([where('hash', '>', `${hash}.`), where('hash', '<', `${hash}/`)]),
            ]),
          )
          .$if(writtenBefore !== undefined, (query) =>
            query.where('written_at', '<', writtenBefore!.toISOString()),
          )
          .execute(),
      )
    },
    async *hashes() {
      for (let after = ''; ; ) {
        const rows = await store.db
          .selectFrom('blobs')
          .select('hash')
          .where('hash', '>', after)
          .orderBy('hash')
          .limit(pageRows)
          .execute()
        const first = rows.filter(({ hash }) => isHash(hash) || hash.endsWith('.0'))
        yield first.map(({ hash }) => hash.replace('.0', ''))
        if (rows.length < pageRows) return
        after = rows.at(-1)!.hash
      }
    },
  }
}
