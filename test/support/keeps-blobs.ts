import { beforeEach, expect, it } from 'vitest'
import { sha256 } from '../../src/service/base/secrets'
import type { BlobStore } from '../../src/service/ports'

const content = Buffer.from(Array.from({ length: 100_000 }, (_, i) => i % 256))
const hash = sha256(content)
const otherContent = content.subarray(1)
const other = sha256(otherContent)
const nothing = new Uint8Array()
const minute = 60_000
const ago = (ms: number) => new Date(Date.now() - ms)

/** The contract of each way to keep blobs. */
export function keepsBlobs(open: () => Promise<BlobStore>): void {
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

  it.each([1024 * 1024, 1024 * 1024 + 1, 3 * 1024 * 1024, 3_500_000])('keeps %i bytes', async (size) => {
    const large = Buffer.alloc(size, content)
    const key = sha256(large)
    await Promise.all([blobs.write(key, large), blobs.write(key, large)])
    expect(Buffer.compare((await blobs.read(key))!, large)).toBe(0)
    await blobs.delete(key, ago(minute))
    expect(await blobs.read(key)).toHaveLength(size)
    await blobs.write(hash, content)
    await blobs.delete(key)
    expect(await blobs.read(key)).toBeNull()
    expect(await bytes(hash)).toBe(true)
  })

  it('keeps empty content too', async () => {
    await blobs.write(sha256(nothing), nothing)
    expect(await blobs.read(sha256(nothing))).toHaveLength(0)
  })

  it('deletes one and leaves the others; what is not there is no error', async () => {
    await blobs.write(hash, content)
    await blobs.write(other, otherContent)
    await blobs.delete(hash)
    await blobs.delete(hash)
    expect(await bytes(hash)).toBeNull()
    expect(await blobs.read(other)).toHaveLength(otherContent.length)
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
