import type { BlobStore } from '../ports'

/** Blobs that live as long as the process. */
export function createMemoryBlobs(): BlobStore {
  const blobs = new Map<string, { content: Uint8Array; writtenMs: number }>()
  return {
    write: async (hash, content) => void blobs.set(hash, { content, writtenMs: Date.now() }),
    read: async (hash) => blobs.get(hash)?.content ?? null,
    async delete(hash, writtenBefore) {
      const written = blobs.get(hash)?.writtenMs ?? 0
      if (!writtenBefore || written < writtenBefore.getTime()) blobs.delete(hash)
    },
  }
}
