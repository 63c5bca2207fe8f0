import { join } from 'node:path'
import { UsageError } from '../../../protocol/errors/error'
import { loadLater } from '../../base/load-later'
import type { BlobStore, Logger } from '../../ports'
import type { Bucket, BucketError, BucketTimes } from './bucket'
import { createDatabaseBlobs, createFileBlobs, type ListedBlobs } from './own-blobs'
import type { BlobRows } from './ports'

/** Settings of the place of large blobs. */
export interface BlobSettings {
  data?: string | undefined
  blobs?: { bucket: string; prefix: string } | undefined
  blobsEndpoint?: string | undefined
  blobsRegion?: string | undefined
  blobsAccessKeyId?: string | undefined
  blobsSecretAccessKey?: string | undefined
}

const loadBucket = loadLater(() => Promise.all([import('./bucket'), import('./bucket-blobs')]))

/** Returns the blobs without a bucket: in the data folder if there is one, else in the database. */
const ownBlobs = (store: BlobRows, { data }: BlobSettings): ListedBlobs =>
  data === undefined ? createDatabaseBlobs(store) : createFileBlobs(join(data, 'blobs'))

async function bucketOf(place: BlobSettings, times?: BucketTimes): Promise<Bucket> {
  const [{ openBucket }] = await loadBucket()
  const { blobs, blobsEndpoint: endpoint, blobsRegion: region = 'us-east-1' } = place
  const { blobsAccessKeyId: accessKeyId = '', blobsSecretAccessKey: secretAccessKey = '' } = place
  return openBucket({ ...blobs!, endpoint, region, accessKeyId, secretAccessKey }, times)
}

/** Opens the places to move blobs between; null if no bucket is set. */
export async function openMove(
  store: BlobRows,
  place: BlobSettings,
  times?: BucketTimes,
): Promise<{ from: ListedBlobs; to: BlobStore } | null> {
  if (!place.blobs) return null
  const bucket = await bucketOf(place, times)
  const [, { createBucketBlobs }] = await loadBucket()
  return { from: ownBlobs(store, place), to: createBucketBlobs(bucket, store) }
}

/**
 * Opens the place of large blobs. With a bucket, earlier ones are read from the old place until they are
 * moved.
 */
export async function openBlobs(
  store: BlobRows,
  place: BlobSettings,
  times?: BucketTimes,
): Promise<BlobStore> {
  const move = await openMove(store, place, times)
  if (!move) return ownBlobs(store, place)
  const [, { createMovingBlobs }] = await loadBucket()
  return createMovingBlobs(move.to, move.from)
}

/** Opens the large blobs of a data folder for reading, wherever they are. */
export async function openForReading(
  data: string,
  place: Omit<BlobSettings, 'data'> = {},
): Promise<Pick<BlobStore, 'read'>> {
  const own = createFileBlobs(join(data, 'blobs'))
  if (!place.blobs) return own
  const bucket = await bucketOf(place)
  const [, { readMoving, readObject }] = await loadBucket()
  return { read: readMoving((hash) => readObject(bucket, hash), own.read) }
}

/**
 * Tests all operations on the bucket, if one is set. An unreachable bucket is only logged: it may be back
 * before the next large blob.
 *
 * @throws UsageError `bucket_refuses` if its answer shows that an operation can never work
 */
export async function tryBucket(place: BlobSettings, logger: Logger): Promise<void> {
  if (!place.blobs) return
  const bucket = await bucketOf(place, { timeoutMs: 5_000, retryForMs: 0, pauseMs: 0 })
  const [{ probeBucket }] = await loadBucket()
  try {
    await probeBucket(bucket)
  } catch (error) {
    const { status, message } = error as BucketError
    if (status === undefined || status >= 500 || status === 429)
      return logger.warn(
        { error },
        'the bucket of large messages cannot be reached: large messages are deferred until it is back',
      )
    throw new UsageError(
      'bucket_refuses',
      `Large messages cannot be stored: ${message}. Check RESTANTE_BLOBS, _ENDPOINT, _REGION, _ACCESS_KEY_ID and _SECRET_ACCESS_KEY. The key must be able to read, write and delete objects, and to list the bucket.`,
      { cause: error },
    )
  }
}
