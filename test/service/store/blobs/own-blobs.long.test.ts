import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { sha256 } from '../../../../src/service/base/secrets'
import {
  createDatabaseBlobs,
  createFileBlobs,
  type ListedBlobs,
} from '../../../../src/service/store/blobs/own-blobs'
import { openStore } from '../../../../src/service/store/open-store'
import type { Store } from '../../../../src/service/store/store'
import { describeDatabases, type TestDatabase } from '../../../support/databases'
import { keepsBlobs } from '../../../support/keeps-blobs'
import { temporaryFolder } from '../../../support/temporary-folder'

describe('blobs in a folder', () => {
  keepsBlobs(async () => createFileBlobs(join(await temporaryFolder(), 'blobs')))
})

describeDatabases('blobs in the database', (openDatabase) => {
  let database: TestDatabase
  let store: Store
  let blobs: ListedBlobs
  afterEach(async () => {
    await store.close()
    await database.drop()
  })
  keepsBlobs(async () => {
    database = await openDatabase()
    store = await openStore(database.options)
    blobs = createDatabaseBlobs(store)
    return blobs
  })

  it('lists large content once, with the small', async () => {
    const contents = [Buffer.alloc(10), Buffer.alloc(3_500_000), Buffer.alloc(2 * 1024 * 1024)]
    for (const content of contents) await blobs.write(sha256(content), content)
    const listed: string[] = []
    for await (const page of blobs.hashes()) listed.push(...page)
    expect(listed).toEqual(contents.map(sha256).sort())
  })
})
