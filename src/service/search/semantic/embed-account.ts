import { now, timeOf } from '../../base'
import { finishJob, type Job, type JobPorts, narrowJob, postponeJob } from '../../jobs'
import { type ChangeContext, changeAccount } from '../../log'
import type { Embedder, Embedding } from '../../ports'
import { forgetGone, isOutgrown, learnFromMail } from './built-in'
import { type EmbeddingPorts, embedderOf, wantedModel } from './embedders'
import {
  allModels,
  builtIn,
  dropModel,
  insertModel,
  type MailScope,
  type Models,
  modelsOf,
  type SearchModel,
  updateModel,
} from './models'
import type { PlacedEmbedding } from './packed'
import { appendRows } from './pgvector'
import { type EmbedOrder, embedAfterMs } from './request-embedding'
import { type MessageText, textsAfter } from './texts'
import { appendVectors } from './vectors'

/** Ports of the embedding job. */
export interface EmbedJobPorts extends JobPorts, EmbeddingPorts {
  /** Resolves in an idle period of inbound traffic; without it, the job does not wait. */
  readonly lull?: () => Promise<void>
}

/** Messages that are embedded and stored together. */
const maxAtOnce = 64
/** Batches for an account before others have their turn. */
const timesPerTurn = 4
/** Time in ms before a model forgets deleted messages, all in one pass; it must do so within the hour. */
const forgetAfterMs = 20 * 60_000

/**
 * Embeds new messages. A missing model is started, and replaces the current one once it is complete. A long
 * backlog is continued in another turn, after other due accounts.
 */
export async function embedByJob(ports: EmbedJobPorts, job: Job, signal: AbortSignal): Promise<void> {
  const order = JSON.parse(job.data) as EmbedOrder
  const mails = await mailsOf(ports, job.tenant_id, order)
  // A requested order should not wait.
  const lull = job.data === '{}' ? ports.lull : undefined
  for (const mail of mails) {
    await lull?.()
    signal.throwIfAborted()
    await begin(ports, mail, order.anew)
  }
  // The order has begun: a retry only continues it.
  if (job.data !== '{}' && !(await ports.store.write((tx) => narrowJob(tx, job, '{}')))) return
  const turn = { timesLeft: timesPerTurn, lull }
  for (const mail of mails)
    if (!(await embedMail(ports, mail, turn, signal))) {
      await ports.store.write((tx) => postponeJob(tx, job, now(ports)))
      return
    }
  await end(ports, job)
}

/** Returns the account as a scope, and the inboxes with models of their own. */
async function mailsOf({ store }: EmbedJobPorts, tenant_id: string, order: EmbedOrder): Promise<MailScope[]> {
  const inboxIds = (await allModels(store.db, tenant_id)).map(({ inbox_id }) => inbox_id)
  return [...new Set([null, ...inboxIds, order.inbox_id ?? null])].map((inbox_id) => ({
    tenant_id,
    inbox_id,
  }))
}

/** Batches left in an account's turn, and the wait before each. */
interface Turn {
  timesLeft: number
  readonly lull: (() => Promise<void>) | undefined
}

/** Embeds messages. Returns false if the turn ended first. */
async function embedMail(
  ports: EmbedJobPorts,
  mail: MailScope,
  turn: Turn,
  signal: AbortSignal,
): Promise<boolean> {
  for (;;) {
    if (turn.timesLeft === 0) return false
    await turn.lull?.()
    signal.throwIfAborted()
    const models = await modelsOf(ports.store.db, mail)
    const grown = [
      await embedSome(ports, models.current, signal),
      await embedSome(ports, models.building, signal),
    ]
    if (grown.includes(true)) {
      turn.timesLeft--
      continue
    }
    await forget(ports, models)
    if (await begin(ports, mail)) continue
    if (!(await takeOver(ports, mail, models))) return true
  }
}

/** Starts a model if the wanted one is missing. Returns whether it did. */
async function begin(ports: EmbedJobPorts, mail: MailScope, anew = false): Promise<boolean> {
  const { db } = ports.store
  const wanted = wantedModel(ports)
  const isAs = (model: SearchModel | undefined) =>
    model?.embedder === wanted.embedder && model.place === wanted.place
  const isBuiltIn = wanted.embedder === builtIn
  const { current, building } = await modelsOf(db, mail)
  // Only a learned model reveals its messages: with another embedder, an inbox needs no model of its own.
  if (mail.inbox_id !== null && !isBuiltIn) {
    await changeAccount(ports, mail.tenant_id, async ({ tx }) => {
      for (const model of [current, building]) if (model) await dropModel(tx, model)
    })
    return false
  }
  const isWanted = !anew && isAs(current)
  if (isWanted && (!isBuiltIn || building || !(await isOutgrown(db, current!)))) return false
  if (isAs(building) && !anew) return false
  const learned = isBuiltIn ? await learnFromMail(db, ports.threads, mail) : undefined
  await changeAccount(ports, mail.tenant_id, async ({ tx }) => {
    const { building } = await modelsOf(tx, mail)
    if (building) await dropModel(tx, building)
    if (learned !== null) await insertModel(tx, mail, ports.clock.now(), wanted, learned)
  })
  return learned !== null
}

async function embedTexts(embedder: Embedder, texts: readonly MessageText[], signal: AbortSignal) {
  const embeddings = await embedder.embed(
    texts.map(({ text }) => text),
    'document',
    signal,
  )
  return texts.map((text, i): PlacedEmbedding => ({ ...text, ...(embeddings[i] as Embedding) }))
}

/** Embeds the next messages. Returns true if there are more than the few that arrive meanwhile. */
async function embedSome(
  ports: EmbedJobPorts,
  model: SearchModel | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const embedder = model && embedderOf(ports, model)
  if (!embedder) return false
  const texts = await textsAfter(ports.store.db, model, model.reached, maxAtOnce)
  if (texts.length === 0) return false
  const embedded = await embedTexts(embedder, texts, signal)
  const isSaved = await changeAccount(ports, model.tenant_id, (change) =>
    save(ports, change, model, embedded),
  )
  return isSaved && texts.length === maxAtOnce
}

/**
 * Stores vectors, except of messages erased meanwhile. Does nothing if another node has, or the model was
 * deleted.
 */
async function save(
  { pgvector }: EmbeddingPorts,
  { tx }: ChangeContext,
  { id, reached, ...mail }: SearchModel,
  embedded: readonly PlacedEmbedding[],
): Promise<boolean> {
  const { current, building } = await modelsOf(tx, mail)
  const model = [current, building].find((one) => one?.id === id)
  if (!model) return false
  if (model.reached !== reached) return true
  const there = await tx
    .selectFrom('messages')
    .select('created_seq')
    .where('tenant_id', '=', mail.tenant_id)
    .where('created_seq', '>', reached)
    .where('created_seq', '<=', embedded.at(-1)!.seq)
    .execute()
  const seqs = new Set(there.map((row) => row.created_seq))
  const kept = embedded.filter(({ seq }) => seqs.has(seq))
  if (model.place === 'packed') await appendVectors(tx, model, kept)
  else await appendRows(tx, pgvector!, model, kept)
  await updateModel(tx, model, { version: model.version + 1, reached: embedded.at(-1)!.seq })
  return true
}

/** Removes deleted messages from learned models, once it is time. */
async function forget(ports: EmbedJobPorts, { current, building }: Models): Promise<void> {
  const before = timeOf(ports.clock.now() - forgetAfterMs)
  for (const model of [current, building]) {
    if (!model?.gone_at || model.gone_at > before) continue
    const knowledge = await forgetGone(ports.store.db, ports.threads, model)
    await changeAccount(ports, model.tenant_id, async ({ tx }) => {
      if (knowledge === null) return dropModel(tx, model)
      const time = now(ports)
      const { current, building } = await modelsOf(tx, model)
      const today = [current, building].find((one) => one?.id === model.id)
      if (!today) return
      const gone_at = today.gone_at === model.gone_at ? null : time
      await updateModel(tx, model, { knowledge, revision: model.revision + 1, gone_at })
    })
  }
}

/** Replaces the current model by the complete one. Returns whether it did. */
const takeOver = (ports: EmbedJobPorts, mail: MailScope, { building }: Models): Promise<boolean> =>
  changeAccount(ports, mail.tenant_id, async ({ tx }) => {
    const models = await modelsOf(tx, mail)
    if (!models.building || models.building.id !== building?.id || !embedderOf(ports, building)) return false
    if (models.current) await dropModel(tx, models.current)
    await updateModel(tx, models.building, { state: 'current' })
    return true
  })

/** Finishes the job, or postpones it until there is work again. */
const end = (ports: EmbedJobPorts, job: Job): Promise<boolean> =>
  changeAccount(ports, job.tenant_id, async ({ tx }) => {
    const models = (await allModels(tx, job.tenant_id)).filter(({ state }) => state === 'current')
    for (const model of models) {
      const [waiting] = await textsAfter(tx, model, model.reached, 1)
      if (waiting && embedderOf(ports, model))
        return postponeJob(tx, job, timeOf(ports.clock.now() + embedAfterMs))
    }
    const [goneAt] = models.flatMap(({ gone_at }) => gone_at ?? []).sort()
    if (goneAt) return postponeJob(tx, job, timeOf(Date.parse(goneAt) + forgetAfterMs))
    return finishJob(tx, job)
  })
