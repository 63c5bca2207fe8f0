import type { Kysely } from 'kysely'
import { dayMs } from '../../service/base/time'
import { readEmbeddingBacklog } from '../../service/search/semantic/backlog'
import type { Settings } from '../../service/settings'
import type { Database } from '../../service/store/tables/schema'
import type { Finding } from './fitness'

/** Finds messages that have waited for more than a day to be embedded. */
export async function judgeEmbeddings(
  db: Kysely<Database>,
  { embeddings, embeddingsUrl }: Settings,
  nowMs: number,
): Promise<Finding | null> {
  if (embeddings === 'off' && embeddingsUrl === undefined) return null
  const { messages, oldestAt } = await readEmbeddingBacklog(db)
  if (oldestAt === null || nowMs - Date.parse(oldestAt) <= dayMs) return null
  return {
    check: 'embeddings_behind',
    problem: `${messages} messages have no vectors for semantic search, the oldest since ${oldestAt}.`,
    remedy:
      'Give a node with the role work more idle processor time, or check the embeddings server. After an upgrade, all messages are embedded again: wait.',
  }
}
