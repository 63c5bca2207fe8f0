import type { Kysely, Transaction } from 'kysely'
import { now, timeOf } from '../../base/time'
import { queueTopic } from '../../jobs/jobs'
import type { JobPorts } from '../../jobs/ports'
import type { Clock } from '../../ports'
import type { Database } from '../../store/tables/schema'
import type { Embedders } from './embedders'
import { modelsOf } from './models'

/** Id of an account's one embedding job, so that its messages are embedded serially. */
const jobId = 'job_embeddings'

export const embeddingsTopic = queueTopic('embeddings')

/** Data of a job of the queue `embeddings`. */
export interface EmbedOrder {
  /** True if an administrator requested to embed everything again. */
  anew?: boolean
}

/**
 * Queues the embedding job of an account, or makes the waiting one run as soon. Without a delay, the caller
 * wakes {@link embeddingsTopic} after the commit. Returns false if it runs already: it includes new messages,
 * but no other order.
 */
export async function requestEmbedding(
  { clock }: { clock: Clock },
  tx: Transaction<Database>,
  tenantId: string,
  order: EmbedOrder = {},
  delayMs = 0,
): Promise<boolean> {
  const runAt = timeOf(clock.now() + delayMs)
  const job = { queue: 'embeddings', run_at: runAt, created_at: now({ clock }), data: JSON.stringify(order) }
  const result = await tx
    .insertInto('jobs')
    .values({ tenant_id: tenantId, id: jobId, ...job })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'id'])
        .doUpdateSet((waiting) => ({
          run_at: waiting
            .case()
            .when('jobs.run_at', '<', runAt)
            .then(waiting.ref('jobs.run_at'))
            .else(runAt)
            .end(),
          ...(order.anew && { data: job.data }),
        }))
        .where('jobs.lease_token', 'is', null),
    )
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
}

/**
 * Time in ms for which new messages wait to be embedded together: during many, small batches would slow the
 * rest.
 */
export const embedAfterMs = 5_000

/** Requests embedding for accounts with messages that no model of the current embedder covers. */
export async function requestOutdated(ports: JobPorts, { id }: Embedders): Promise<void> {
  const outdated = await ports.store.db
    .selectFrom('search_cursors')
    .leftJoin('search_models', (join) =>
      join
        .onRef('search_models.tenant_id', '=', 'search_cursors.tenant_id')
        .on('search_models.embedder', '=', id)
        .on('search_models.state', '=', 'current'),
    )
    .select('search_cursors.tenant_id')
    .where((eb) => {
      const later = eb
        .selectFrom('messages')
        .select('messages.id')
        .whereRef('messages.tenant_id', '=', 'search_cursors.tenant_id')
        .where(({ or, eb, ref }) =>
          or([
            eb('messages.created_seq', '>', ref('search_models.reached')),
            eb('messages.created_seq', '>', ref('search_models.reached_bulk')),
          ]),
        )
      return eb.or([eb('search_models.id', 'is', null), eb.exists(later)])
    })
    .execute()
  for (const { tenant_id } of outdated)
    await ports.store.write((tx) => requestEmbedding(ports, tx, tenant_id))
  if (outdated.length > 0) ports.signals.publish(embeddingsTopic)
}

/** Progress of an account: its messages, and those with vectors of the model to search. */
interface Embedded {
  readonly messages: number
  readonly embedded: number
  /** True once no model is being built, or no job builds one. */
  readonly isWhole: boolean
}

/** Counts the messages of an account, and those with vectors. */
export async function countEmbedded(db: Kysely<Database>, tenantId: string): Promise<Embedded> {
  const job = await db
    .selectFrom('jobs')
    .select('data')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', jobId)
    .executeTakeFirst()
  const isBegun = !job || !(JSON.parse(job.data) as EmbedOrder).anew
  const { current, building } = await modelsOf(db, tenantId)
  const model = isBegun ? (building ?? current) : undefined
  const row = await db
    .selectFrom('messages')
    .select(({ fn, eb }) => {
      const isPersonal = eb('auto_submitted', '=', 'no')
      const isReached = eb.or([
        eb.and([isPersonal, eb('created_seq', '<=', model?.reached ?? 0)]),
        eb.and([eb('auto_submitted', '!=', 'no'), eb('created_seq', '<=', model?.reached_bulk ?? 0)]),
      ])
      return [
        fn.countAll<number>().as('messages'),
        fn.count<number>(eb.case().when(isReached).then(1).end()).as('embedded'),
      ]
    })
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  const isWhole = !job || (isBegun && building === undefined)
  return { messages: Number(row.messages), embedded: Number(row.embedded), isWhole }
}
