import { type RawBuilder, sql } from 'kysely'
import { findLabelId } from '../messages/labels'
import { isAnswered, withLabel } from '../messages/message-filters'
import type { MessagePorts } from '../messages/ports'
import { type Clause, isIndexed, type Leaf } from './query-parts'

/** SQL for the required conditions that the index cannot decide, or not alone. */
export interface Conditions {
  /** Conditions that are not in the index. */
  readonly always: readonly RawBuilder<boolean>[]
  /** Conditions to check if the index has not confirmed them, by their bit in `ScoredDocuments.open`. */
  readonly open: readonly { readonly bit: number; readonly holds: RawBuilder<boolean> }[]
}

/** Maximum number of conditions that are only partly in the index: the number of bits. */
const maxOpen = 31

const never = sql<boolean>`1 = 0`

/** A received message that can be answered, and was not: nothing was sent in its conversation since. */
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

/** Returns the SQL for the alternatives of a condition that are not in the index. */
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

/** Returns the required conditions that are partly in the index: each has a bit. */
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
