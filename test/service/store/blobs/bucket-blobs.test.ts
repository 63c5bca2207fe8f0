import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sha256 } from '../../../../src/service/base/secrets'
import type { BlobStore } from '../../../../src/service/ports'
import { type Bucket, type BucketPlace, openBucket } from '../../../../src/service/store/blobs/bucket'
import { createBucketBlobs } from '../../../../src/service/store/blobs/bucket-blobs'
import { openStore } from '../../../../src/service/store/open-store'
import type { Store } from '../../../../src/service/store/store'
import { type FaultyBucket, startFaultyBucket } from '../../../support/faulty-bucket'
import { keepsBlobs } from '../../../support/keeps-blobs'
import { type Swift, startSwift, swiftIsMissing } from '../../../support/swift'

const content = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7) % 256))
const hash = sha256(content)
const quick = { timeoutMs: 5_000, retryForMs: 1_000, pauseMs: 1 }
let tests = 0

describe.skipIf(swiftIsMissing())('blobs in a bucket of Swift', () => {
  let swift: Swift
  let wire: FaultyBucket
  let store: Store
  let place: BucketPlace
  let blobs: BlobStore
  beforeAll(async () => {
    swift = await startSwift()
  })
  afterAll(() => swift?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    wire = await startFaultyBucket(swift.port)
    store = await openStore({})
    const { blobsRegion, blobsAccessKeyId, blobsSecretAccessKey } = swift.options
    place = {
      bucket: 'mails',
      prefix: `a+b (c)/${++tests}/`,
      endpoint: wire.endpoint,
      region: blobsRegion,
      accessKeyId: blobsAccessKeyId,
      secretAccessKey: blobsSecretAccessKey,
    }
    blobs = createBucketBlobs(openBucket(place, quick), store)
  })
  afterEach(async () => {
    await store.close()
    await wire[Symbol.asyncDispose]()
  })
  const isKept = async () => {
    const read = await blobs.read(hash)
    return read && Buffer.compare(read, content) === 0
  }
  const failing = (bucket: Bucket, body: Uint8Array = content) => bucket.put('one', body, hash)

  keepsBlobs(async () => blobs)

  it('are refused by the server under another secret, region or bucket, and where they are other bytes', async () => {
    await expect(failing(openBucket({ ...place, secretAccessKey: 'x' }, quick))).rejects.toMatchObject({
      status: 403,
      code: 'BUCKET_UNAVAILABLE',
    })
    await expect(failing(openBucket({ ...place, region: 'us-east-1' }, quick))).rejects.toMatchObject({
      status: 400,
    })
    await expect(failing(openBucket({ ...place, bucket: 'others' }, quick))).rejects.toThrow(
      'there is no bucket others',
    )
    await expect(failing(openBucket(place, quick), content.subarray(1))).rejects.toMatchObject({
      status: 400,
    })
  })

  /** A fault for so many requests of a kind; after that they pass. */
  const firstFew = (count: number, kind: string, fault: 500 | 503 | 'cut-request' | 'cut-answer') =>
    wire.decide((method) => (method === kind && count-- > 0 ? fault : 'pass'))

  it.each([500, 503, 'cut-request', 'cut-answer'] as const)(
    'are written whole after requests that ended in %s',
    async (fault) => {
      firstFew(2, 'PUT', fault)
      await blobs.write(hash, content)
      expect(wire.asked.filter((one) => one.startsWith('PUT')).length).toBeGreaterThan(1)
      expect(await isKept()).toBe(true)
    },
  )

  it('are read whole after answers that were cut in the middle', async () => {
    await blobs.write(hash, content)
    firstFew(2, 'GET', 'cut-answer')
    expect(await isKept()).toBe(true)
  })

  it('are not written where nothing answers, and the failure says so in time', async () => {
    const impatient = { timeoutMs: 50, retryForMs: 20, pauseMs: 1 }
    wire.decide(() => 'silence')
    const write = createBucketBlobs(openBucket(place, impatient), store).write(hash, content)
    await expect(write).rejects.toMatchObject({ code: 'BUCKET_UNAVAILABLE', status: undefined })
  })

  it('are not taken for what they are not', async () => {
    const bucket = openBucket(place, quick)
    const other = content.subarray(1)
    await bucket.put(hash, other, sha256(other))
    await expect(blobs.read(hash)).rejects.toThrow('other bytes')
  })

  it('stay when they are written while they are removed, whichever the bucket does first', async () => {
    await blobs.write(hash, content)
    let remove = () => {}
    const removed = new Promise<void>((resolve) => {
      remove = resolve
    })
    const asked = (method: string) => wire.asked.filter((one) => one.startsWith(method)).length
    wire.decide((method) => (method === 'DELETE' ? removed : 'pass'))
    const removing = blobs.delete(hash)
    await expect.poll(() => asked('DELETE')).toBe(1)
    const writing = blobs.write(hash, content)
    await expect.poll(() => asked('PUT')).toBe(3)
    remove()
    await Promise.all([removing, writing])
    expect(await isKept()).toBe(true)
  })

  it('stay when the removal ended between their writing and the look for it', async () => {
    await blobs.write(hash, content)
    const bucket = openBucket(place, quick)
    let removedOnce = false
    const interrupted: Bucket = {
      ...bucket,
      async put(...asked) {
        await bucket.put(...asked)
        if (removedOnce) return
        removedOnce = true
        await blobs.delete(hash)
      },
    }
    await createBucketBlobs(interrupted, store).write(hash, content)
    expect(await isKept()).toBe(true)
  })

  it('are removed by one request, but for one that did nothing: another might come after they are written anew', async () => {
    await blobs.write(hash, content)
    const asked = () => wire.asked.filter((one) => one.startsWith('DELETE')).length
    firstFew(1, 'DELETE', 'cut-answer')
    await expect(blobs.delete(hash)).rejects.toMatchObject({ code: 'BUCKET_UNAVAILABLE' })
    expect(asked()).toBe(1)
    firstFew(1, 'DELETE', 503)
    const bucket = openBucket(place, quick)
    await bucket.delete(hash)
    expect(asked()).toBe(3)
    // It is gone already, which is what was asked for.
    await bucket.delete(hash)
    expect(await bucket.get(hash)).toBe(null)
  })

  it('can be written again at once after a removal that was refused', async () => {
    await blobs.write(hash, content)
    wire.decide((method) => (method === 'DELETE' ? 403 : 'pass'))
    await expect(blobs.delete(hash)).rejects.toMatchObject({ status: 403 })
    await blobs.write(hash, content)
    expect(await isKept()).toBe(true)
  })
})
