import { UsageError } from '../../protocol/errors/error'
import { sha256 } from '../base/secrets'
import { now } from '../base/time'
import { isBlobNamed } from '../erasure/erase-sweep'
import type { LogPorts } from '../log/ports'
import { condemnBlobs, erasedTopic } from '../messages/originals'
import { type BlobSettings, openMove } from '../store/blobs/open-blobs'

/** Numbers of large messages that were moved, and of damaged ones, which stay. */
export interface MovedBlobs {
  moved: number
  damaged: number
}

/**
 * Moves large messages from the database or the data folder to the bucket, one by one, while the service
 * runs. Each is complete in the bucket before its original is deleted, so an interrupted move can continue.
 *
 * @throws UsageError `no_bucket`. BucketError if the bucket is unavailable
 */
export async function moveBlobs(
  ports: LogPorts,
  place: BlobSettings,
  onProgress: (counts: MovedBlobs) => void = () => {},
  isStopped: () => boolean = () => false,
): Promise<MovedBlobs> {
  const move = await openMove(ports.store, place)
  if (!move)
    throw new UsageError(
      'no_bucket',
      'There is no bucket for large messages. Set RESTANTE_BLOBS, also for each process of the service.',
    )
  const { from, to } = move
  const counts = { moved: 0, damaged: 0 }

  async function moveOne(hash: string): Promise<void> {
    const readAt = new Date()
    const content = await from.read(hash)
    if (content === null) return
    if (sha256(content) !== hash) {
      counts.damaged += 1
      return
    }
    await to.write(hash, content)
    // Deletes the original only after a read: not every server verifies uploads.
    if ((await to.read(hash)) === null)
      throw new Error(`the bucket does not give back ${hash}: nothing was deleted`)
    // It may have been erased since it was read.
    if (!(await isBlobNamed(ports, hash))) {
      await ports.store.write((tx) => condemnBlobs(tx, [hash], now(ports)))
      ports.signals.publish(erasedTopic)
    }
    await from.delete(hash, readAt)
    counts.moved += 1
  }

  for await (const hashes of from.hashes())
    for (const hash of hashes) {
      if (isStopped()) return counts
      await moveOne(hash)
      onProgress({ ...counts })
    }
  return counts
}
