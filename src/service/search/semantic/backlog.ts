import { type Kysely, sql } from 'kysely'
import type { Database } from '../../store/tables/schema'

/** Messages of all accounts that have no vectors yet. */
export interface EmbeddingBacklog {
  readonly messages: number
  /** Time at which the oldest of them was stored; null if there are none. */
  readonly oldestAt: string | null
}

/** Reads how many messages wait to be embedded, and since when. */
export async function readEmbeddingBacklog(db: Kysely<Database>): Promise<EmbeddingBacklog> {
  // The lower position selects few messages by their key; the second condition decides.
  const { rows } = await sql<{ messages: number; oldest: string | null }>`
    select count(*) as messages, min(m.created_at) as oldest from search_cursors c
    left join search_models s on s.tenant_id = c.tenant_id and s.state = 'current'
    join messages m on m.tenant_id = c.tenant_id
      and m.created_seq > coalesce(case when s.reached < s.reached_bulk then s.reached else s.reached_bulk end, 0)
    where m.created_seq > coalesce(case when m.auto_submitted = 'no' then s.reached else s.reached_bulk end, 0)
  `.execute(db)
  return { messages: Number(rows[0]?.messages ?? 0), oldestAt: rows[0]?.oldest ?? null }
}
