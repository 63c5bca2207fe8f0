import { setTimeout as pause } from 'node:timers/promises'
import { newUuid } from '../../base/ids'
import { hourMs, minuteMs, systemClock, timeOf } from '../../base/time'
import { sha256InTurns } from '../../base/turns'
import type { BlobStore } from '../../ports'
import { type Bucket, BucketError } from './bucket'
import type { BlobRows } from './ports'

/** Time in ms after which an unfinished removal counts as dead. */
const removalMs = 10 * minuteMs
/** Pauses in ms between writes while the same bytes are being removed. */
const pauses = [50, 100, 200, 400, 800, 1_600]

type Removals = 'none' | 'under way' | 'ended'

/** Finds removals of these bytes that may have deleted a preceding write. */
async function removalsOf({ db }: BlobRows, hash: string, nowMs: number): Promise<Removals> {
  const rows = await db
    .selectFrom('blob_removals')
    .select('ended_at')
    .where('hash', '=', hash)
    .where('started_at', '>', timeOf(nowMs - removalMs))
    .execute()
  if (rows.length === 0) return 'none'
  return rows.every((row) => row.ended_at !== null) ? 'ended' : 'under way'
}

/** Reads an object; null if there is none. @throws BucketError also if the bytes were changed */
export async function readObject(bucket: Bucket, hash: string): Promise<Uint8Array | null> {
  const content = await bucket.get(hash)
  if (content !== null && (await sha256InTurns(content)) !== hash)
    throw new BucketError(`the bucket gave other bytes than were written as ${hash}`)
  return content
}

/**
 * Blobs as objects of a bucket, each named by its SHA-256.
 *
 * A bucket has no delete that depends on later writes. So the database lists current and recent removals: a
 * writer checks it afterwards, and writes again if its object may have been deleted.
 */
export function createBucketBlobs(bucket: Bucket, store: BlobRows): BlobStore {
  const clock = store.clock ?? systemClock

  async function remove(hash: string, writtenBefore: Date | undefined): Promise<void> {
    const ageMs = await bucket.ageMs(hash)
    if (ageMs === null) return
    // Times of objects are whole seconds.
    const settledMs = writtenBefore ? clock.now() - writtenBefore.getTime() + 1_000 : Number.NEGATIVE_INFINITY
    if (ageMs > settledMs) await bucket.delete(hash)
  }

  return {
    async write(hash, content) {
      for (const waitMs of pauses) {
        await bucket.put(hash, content, hash)
        const removals = await removalsOf(store, hash, clock.now())
        if (removals === 'none') return
        // A removal that has ended cannot delete a later write.
        if (removals === 'ended') return bucket.put(hash, content, hash)
        await pause(waitMs)
      }
      throw new BucketError('the same bytes are being erased just now')
    },
    read: (hash) => readObject(bucket, hash),
    async delete(hash, writtenBefore) {
      const nowMs = clock.now()
      const id = newUuid(nowMs)
      await store.write(async (tx) => {
        await tx
          .deleteFrom('blob_removals')
          .where('started_at', '<', timeOf(nowMs - hourMs))
          .execute()
        await tx
          .insertInto('blob_removals')
          .values({ id, hash, started_at: timeOf(nowMs), ended_at: null })
          .execute()
      })
      const end = () =>
        store.write((tx) =>
          tx
            .updateTable('blob_removals')
            .set({ ended_at: timeOf(clock.now()) })
            .where('id', '=', id)
            .execute(),
        )
      try {
        await remove(hash, writtenBefore)
      } catch (error) {
        // Unless refused, the bucket may still delete: the removal is not ended.
        if (((error as BucketError).status ?? 500) < 500) await end()
        throw error
      }
      await end()
    },
  }
}

type ReadBlob = BlobStore['read']

/** Reads a blob that may be moving; the last read covers a move between the first two. */
export const readMoving =
  (to: ReadBlob, from: ReadBlob): ReadBlob =>
  async (hash) =>
    (await to(hash)) ?? (await from(hash)) ?? to(hash)

/** Blobs that are being moved: written to the new place, and read from both. */
export function createMovingBlobs(to: BlobStore, from: BlobStore): BlobStore {
  return {
    write: (hash, content) => to.write(hash, content),
    read: readMoving(to.read, from.read),
    async delete(hash, writtenBefore) {
      await to.delete(hash, writtenBefore)
      await from.delete(hash, writtenBefore)
    },
  }
}
