/** Large blobs: in the database, in a folder, or in a bucket. */

export { type BlobSettings, openBlobs, openForReading, openMove, tryBucket } from './open-blobs'
export { createFileBlobs, type ListedBlobs } from './own-blobs'
