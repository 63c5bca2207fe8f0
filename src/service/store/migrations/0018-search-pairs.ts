import { sql } from 'kysely'
import type { Step } from './step'

/** As `search-index.ts` makes them: of words that stand one after the other, but for those that name their place. */
const pairs = `select array_to_tsvector(array_agg(distinct '~' ||
    left(encode(sha256(convert_to(word || ' ' || next, 'UTF8')), 'hex'), 6)))
  from (
    select word, position, lead(word) over in_order as next, lead(position) over in_order as next_position
    from unnest(words) as entries(word, positions), unnest(positions) as position
    where strpos(word, '/') = 0 window in_order as (order by position)
  ) as places where next_position = position + 1`

/** An index is made anew sooner than it takes in so many words. */
const statements = [
  'drop index search_documents_by_word',
  `update search_documents set words = words || coalesce((${pairs}), '')`,
  'create index search_documents_by_word on search_documents using gin (words)',
]

/** On PostgreSQL the search index knows pairs of words. */
export const searchPairs: Step = (dialect) => ({
  async up(db) {
    if (dialect === 'postgres') for (const statement of statements) await sql.raw(statement).execute(db)
  },
})
