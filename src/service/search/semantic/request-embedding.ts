import { type Kysely, sql, type Transaction } from 'kysely'
import { now, timeOf } from '../../base'
import { type JobPorts, queueTopic } from '../../jobs'
import type { ChangeContext } from '../../log'
import type { Clock } from '../../ports'
import type { Database } from '../../store/tables'
import { minLearned } from '../lsa'
import type { WantedModel } from './embedders'
import { allModels, type MailScope, updateModel } from './models'
import { isSampled } from './texts'
import { removeVectors } from './vectors'

/** Id of an account's one embedding job, so that its messages are embedded serially. */
const jobId = 'job_embeddings'

export const embeddingsTopic = queueTopic('embeddings')

/** Data of a job of the queue `embeddings`. */
export interface EmbedOrder {
  /** True if an administrator requested to embed everything again. */
  anew?: boolean
  /** Inbox that needs its own model. */
  inbox_id?: string
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
          ...((order.anew || order.inbox_id) && { data: job.data }),
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

/** Checks whether there are enough messages for a model. */
export async function isEnough(
  db: Kysely<Database>,
  { tenant_id, inbox_id }: MailScope,
  { endpoint }: { endpoint?: object | undefined },
): Promise<boolean> {
  const least = endpoint ? 1 : minLearned
  const { rows } = await sql`select 1 from messages where tenant_id = ${tenant_id}
    and ${inbox_id === null ? sql`true` : sql`inbox_id = ${inbox_id}`}
    limit 1 offset ${least - 1}`.execute(db)
  return rows.length > 0
}

/** Time in ms until models with erased messages are checked again. */
const lookThroughAfterMs = 20 * 60_000

/** Deletes the vectors of erased messages at once; learned models forget them within the hour. */
export async function forgetMeanings(change: ChangeContext, createdSeqs: readonly number[]): Promise<void> {
  const { tx, account } = change
  const models = await removeVectors(tx, account.tenant_id, createdSeqs)
  const taught = models.filter(
    (model) => model.learned > 0 && createdSeqs.some((seq) => isSampled(seq, model)),
  )
  if (taught.length === 0) return
  for (const model of taught) if (!model.gone_at) await updateModel(tx, model, { gone_at: change.now })
  const runAt = timeOf(Date.parse(change.now) + lookThroughAfterMs)
  await tx
    .insertInto('jobs')
    .values({
      tenant_id: account.tenant_id,
      id: jobId,
      queue: 'embeddings',
      run_at: runAt,
      created_at: change.now,
      data: '{}',
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doNothing())
    .execute()
}

/**
 * Requests embedding for accounts whose vectors are of another embedder or in another place than the current
 * ones.
 */
export async function requestOutdated(ports: JobPorts, wanted: WantedModel): Promise<void> {
  const outdated = await ports.store.db
    .selectFrom('search_models')
    .select('tenant_id')
    .distinct()
    .where('state', '=', 'current')
    .where((or) => or.or([or('embedder', '!=', wanted.embedder), or('place', '!=', wanted.place)]))
    .execute()
  for (const { tenant_id } of outdated)
    await ports.store.write((tx) => requestEmbedding(ports, tx, tenant_id))
  if (outdated.length > 0) ports.signals.publish(embeddingsTopic)
}

/**
 * Counts the messages of an account, and those with vectors of the model to search. `isWhole` is true once no
 * model is being built, or no job builds one.
 */
export async function countEmbedded(
  db: Kysely<Database>,
  tenantId: string,
): Promise<{ messages: number; embedded: number; isWhole: boolean }> {
  const job = await db
    .selectFrom('jobs')
    .select('data')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', jobId)
    .executeTakeFirst()
  const isBegun = !job || !(JSON.parse(job.data) as EmbedOrder).anew
  const models = await allModels(db, tenantId)
  const building = models.filter(({ state }) => state === 'building')
  const isOfAll = ({ inbox_id }: MailScope) => inbox_id === null
  const reached = isBegun ? Number((building.find(isOfAll) ?? models.find(isOfAll))?.reached ?? 0) : 0
  const row = await db
    .selectFrom('messages')
    .select((eb) => [
      eb.fn.countAll<number>().as('messages'),
      sql<number>`count(case when created_seq <= ${reached} then 1 end)`.as('embedded'),
    ])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  const isWhole = !job || (isBegun && building.length === 0)
  return { messages: Number(row.messages), embedded: Number(row.embedded), isWhole }
}
