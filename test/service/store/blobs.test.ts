import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BlobStore } from '../../../src/service/ports'
import { createDatabaseBlobs, createFileBlobs } from '../../../src/service/store/blobs'
import { openStore } from '../../../src/service/store/open-store'
import type { Store } from '../../../src/service/store/store'
import { describeDatabases, type TestDatabase } from '../../support/databases'
import { temporaryFolder } from '../../support/temporary-folder'

const hash = 'ab'.repeat(32)
const other = 'ac'.repeat(32)
const content = Buffer.from(Array.from({ length: 100_000 }, (_, i) => i % 256))
const minute = 60_000
const ago = (ms: number) => new Date(Date.now() - ms)

/** The contract of each way to keep blobs. */
function keepsBlobs(open: () => Promise<BlobStore>): void {
  let blobs: BlobStore
  beforeEach(async () => {
    blobs = await open()
  })
  const bytes = async (of: string) => {
    const read = await blobs.read(of)
    return read === null ? null : Buffer.compare(read, content) === 0
  }

  it('reads the bytes that were written, and null where there are none', async () => {
    expect(await blobs.read(hash)).toBeNull()
    await blobs.write(hash, content)
    expect(await bytes(hash)).toBe(true)
    expect(await blobs.read(other)).toBeNull()
  })

  it('takes the same bytes twice, also at once', async () => {
    await Promise.all(Array.from({ length: 8 }, () => blobs.write(hash, content)))
    await blobs.write(hash, content)
    expect(await bytes(hash)).toBe(true)
  })

  it('keeps empty content too', async () => {
    await blobs.write(hash, new Uint8Array())
    expect(await blobs.read(hash)).toHaveLength(0)
  })

  it('deletes one and leaves the others; what is not there is no error', async () => {
    await blobs.write(hash, content)
    await blobs.write(other, content)
    await blobs.delete(hash)
    await blobs.delete(hash)
    expect([await bytes(hash), await bytes(other)]).toEqual([null, true])
  })

  it('deletes only what was not written since the time that is given', async () => {
    await blobs.write(hash, content)
    await blobs.delete(hash, ago(minute))
    expect(await bytes(hash)).toBe(true)
    await blobs.delete(hash, ago(-minute))
    expect(await bytes(hash)).toBeNull()
  })

  it('counts the time of the last of several writes', async () => {
    await blobs.write(hash, content)
    const between = await untilLater()
    await blobs.write(hash, content)
    await blobs.delete(hash, between)
    expect(await bytes(hash)).toBe(true)
  })
}

/** A time after all that was and before all that comes: clocks of files tick in milliseconds at best. */
async function untilLater(): Promise<Date> {
  const tick = async () => {
    const start = Date.now()
    await expect.poll(() => Date.now(), { interval: 5 }).toBeGreaterThan(start + 10)
  }
  await tick()
  const between = new Date()
  await tick()
  return between
}

describe('blobs in a folder', () => {
  keepsBlobs(async () => createFileBlobs(join(await temporaryFolder(), 'blobs')))
})

describeDatabases('blobs in the database', (openDatabase) => {
  let database: TestDatabase
  let store: Store
  afterEach(async () => {
    await store.close()
    await database.drop()
  })
  keepsBlobs(async () => {
    database = await openDatabase()
    store = await openStore(database.options)
    return createDatabaseBlobs(store)
  })
})
