import type { BlobStore } from '../ports'
import type { Store } from './store'

/** Blobs as rows of the database: every node has them, and so has every dump. */
export function createDatabaseBlobs(store: Store): BlobStore {
  return {
    async write(hash, content) {
      const written_at = new Date().toISOString()
      await store.write((tx) =>
        tx
          .insertInto('blobs')
          .values({ hash, content, written_at })
          .onConflict((conflict) => conflict.column('hash').doUpdateSet({ written_at }))
          .execute(),
      )
    },
    async read(hash) {
      const row = await store.db
        .selectFrom('blobs')
        .select('content')
        .where('hash', '=', hash)
        .executeTakeFirst()
      return row?.content ?? null
    },
    async delete(hash, writtenBefore) {
      await store.write((tx) =>
        tx
          .deleteFrom('blobs')
          .where('hash', '=', hash)
          .$if(writtenBefore !== undefined, (query) =>
            query.where('written_at', '<', writtenBefore!.toISOString()),
          )
          .execute(),
      )
    },
  }
}
