import { setTimeout as pause } from 'node:timers/promises'
import { hourMs, minuteMs, newUuid, sha256, systemClock, timeOf } from '../../base'
import type { BlobStore } from '../../ports'
import { type Bucket, BucketError } from './bucket'
import type { BlobRows } from './ports'

/** A removal that has not ended by then never will: whoever began it is gone. */
const removalMs = 10 * minuteMs
/** The pauses of a write while somebody removes the same bytes. */
const pauses = [50, 100, 200, 400, 800, 1_600]

type Removals = 'none' | 'under way' | 'ended'

/** Looks for removals of these bytes that may have taken away what was written until now. */
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

/** Reads an object; null where there is none. @throws BucketError where it is not what was written, too */
export async function readObject(bucket: Bucket, hash: string): Promise<Uint8Array | null> {
  const content = await bucket.get(hash)
  if (content !== null && sha256(content) !== hash)
    throw new BucketError(`the bucket gave other bytes than were written as ${hash}`)
  return content
}

/**
 * Blobs as objects of a bucket, each named by its SHA-256.
 *
 * A bucket cannot delete an object only if nobody has written it again meanwhile. So the database holds who is about to
 * delete what, and until when it was: whoever writes looks there afterwards, and writes again where its object may have
 * been the one that went.
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
        // What ended before this look takes nothing away that is written after it.
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
        // What was not refused the bucket may yet do: the removal is not called ended.
        if (((error as BucketError).status ?? 500) < 500) await end()
        throw error
      }
      await end()
    },
  }
}

type ReadBlob = BlobStore['read']

/** Reads what is on its way to another place, wherever it is: the last look is for what was moved between the first two. */
export const readMoving =
  (to: ReadBlob, from: ReadBlob): ReadBlob =>
  async (hash) =>
    (await to(hash)) ?? (await from(hash)) ?? to(hash)

/** Blobs that are on their way to another place: they are written there, and read wherever they are. */
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
