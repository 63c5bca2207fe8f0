import { type RawBuilder, sql } from 'kysely'
import { findLabelId, isAnswered, type MessagePorts, withLabel } from '../messages'
import { type Clause, isIndexed, type Leaf } from './query-parts'

/** Demanded conditions of which the index cannot tell, or not alone, whether they hold: as the database is asked. */
export interface Conditions {
  /** Those of which the index knows nothing. */
  readonly always: readonly RawBuilder<boolean>[]
  /** Those that hold where the index does not say so already, by the bit that `ScoredDocuments.open` has for each. */
  readonly open: readonly { readonly bit: number; readonly holds: RawBuilder<boolean> }[]
}

/** The most conditions that are both in the index and not: there are so many bits. */
const maxOpen = 31

const never = sql<boolean>`1 = 0`

/** A message that came in, can be answered, and was not: nothing was sent in its conversation since. */
const unanswered = sql<boolean>`(messages.direction = 'inbound' and messages.unanswerable is null
  and not ${isAnswered()})`

async function conditionOf(ports: MessagePorts, tenantId: string, leaf: Leaf): Promise<RawBuilder<boolean>> {
  if (leaf.kind === 'unanswered') return unanswered
  if (leaf.kind === 'since') return sql`messages.created_at >= ${leaf.time}`
  if (leaf.kind === 'until') return sql`messages.created_at < ${leaf.time}`
  if (leaf.kind === 'message-id') {
    const bare = leaf.id.replace(/^<(.*)>$/, '$1')
    return sql`coalesce(messages.rfc822_message_id, '') in (${bare}, ${`<${bare}>`})`
  }
  if (leaf.kind !== 'label') return never
  const label = await findLabelId(ports.store.db, tenantId, leaf.name)
  if (label === null) return never
  return withLabel(label)
}

/** One of the alternatives, as far as the database is asked. */
async function clauseOf(ports: MessagePorts, tenantId: string, clause: Clause) {
  const asked = clause.filter(({ leaf }) => !isIndexed(leaf))
  const all = await Promise.all(
    asked.map(async ({ leaf, isDenied }) => {
      const holds = await conditionOf(ports, tenantId, leaf)
      return isDenied ? sql<boolean>`not ${holds}` : holds
    }),
  )
  return sql<boolean>`(${sql.join(all, sql` or `)})`
}

/** The demanded conditions that have some of the index in them and some not: each has a bit. */
export const mixedOf = (demanded: readonly Clause[]): Clause[] =>
  demanded
    .filter(
      (clause) => clause.some(({ leaf }) => isIndexed(leaf)) && clause.some(({ leaf }) => !isIndexed(leaf)),
    )
    .slice(0, maxOpen)

export async function conditionsOf(
  ports: MessagePorts,
  tenantId: string,
  demanded: readonly Clause[],
): Promise<Conditions> {
  const plain = demanded.filter((clause) => clause.every(({ leaf }) => !isIndexed(leaf)))
  return {
    always: await Promise.all(plain.map((clause) => clauseOf(ports, tenantId, clause))),
    open: await Promise.all(
      mixedOf(demanded).map(async (clause, bit) => ({ bit, holds: await clauseOf(ports, tenantId, clause) })),
    ),
  }
}
