import { now, timeOf } from '../../base/time'
import { finishJob, type Job, narrowJob, postponeJob } from '../../jobs/jobs'
import type { JobPorts } from '../../jobs/ports'
import { changeAccount } from '../../log/change'
import type { ChangeContext } from '../../log/registry'
import type { Embedder } from '../../ports'
import { type EmbeddingPorts, embedderOf } from './embedders'
import { deleteModel, insertModel, modelsOf, removeSome, type SearchModel, updateModel } from './models'
import { type EmbedOrder, embedAfterMs } from './request-embedding'
import { type MessageText, passagesOf, type Share, textsAfter, wholeText } from './texts'
import { insertVectors, quantized, type VectorRow } from './vectors'

/** Ports of the embedding job. */
export interface EmbedJobPorts extends JobPorts, EmbeddingPorts {
  /** Resolves in an idle period of inbound traffic, or to false at the end; without it, the job does not wait. */
  readonly idle?: () => Promise<boolean>
}

/** Messages that are embedded and stored together; the built-in encoder takes some 50 ms for each. */
const maxAtOnce = 64
const maxAtOnceBuiltIn = 16
/** Batches for an account before others have their turn. */
const timesPerTurn = 4

/** Batches left in an account's turn, the wait before each, and its end. */
interface Turn {
  timesLeft: number
  readonly idle: (() => Promise<boolean>) | undefined
  readonly signal: AbortSignal
}

/**
 * Embeds new messages. A missing model is started, and replaces the current one once it is complete. A long
 * backlog is continued in another turn, after other due accounts.
 */
export async function embedByJob(ports: EmbedJobPorts, job: Job, signal: AbortSignal): Promise<void> {
  const { tenant_id, data } = job
  const order = JSON.parse(data) as EmbedOrder
  // A requested order should not wait.
  const idle = data === '{}' ? ports.idle : undefined
  await idle?.()
  signal.throwIfAborted()
  await begin(ports, tenant_id, order.anew)
  // The order has begun: a retry only continues it.
  if (data !== '{}' && !(await ports.store.write((tx) => narrowJob(tx, job, '{}')))) return
  if (await embedMessages(ports, tenant_id, { timesLeft: timesPerTurn, idle, signal })) await end(ports, job)
  else await ports.store.write((tx) => postponeJob(tx, job, now(ports)))
}

/** Embeds messages. Returns false if the turn ended first. */
async function embedMessages(ports: EmbedJobPorts, tenantId: string, turn: Turn): Promise<boolean> {
  for (;;) {
    if (turn.timesLeft <= 0) return false
    const { current, building } = await modelsOf(ports.store.db, tenantId)
    const grown = [await embedSome(ports, current, turn), await embedSome(ports, building, turn)]
    if (grown.includes(true)) turn.timesLeft--
    else if (await begin(ports, tenantId)) continue
    else if (await replaceCurrent(ports, tenantId, building)) continue
    else if (await ports.store.write((tx) => removeSome(tx, tenantId))) await waitIdle(turn)
    else return true
  }
}

/** Starts a model if the wanted one is missing. Returns whether it did. */
async function begin(ports: EmbedJobPorts, tenantId: string, anew = false): Promise<boolean> {
  const { embedders } = ports
  if (!embedders) return false
  const { id: embedder, isBuiltIn } = embedders
  const isMissing = ({ current, building }: Awaited<ReturnType<typeof modelsOf>>) =>
    anew || (current?.embedder !== embedder && building?.embedder !== embedder)
  if (!isMissing(await modelsOf(ports.store.db, tenantId))) return false
  return changeAccount(ports, tenantId, async ({ tx }) => {
    const models = await modelsOf(tx, tenantId)
    if (!isMissing(models)) return false
    if (models.building) await deleteModel(tx, models.building)
    // The built-in encoder ranks what words find: it needs no complete model.
    const isFirst = isBuiltIn && !embedderOf(ports, models.current)
    if (isFirst && models.current) await deleteModel(tx, models.current)
    await insertModel(tx, tenantId, ports.clock.now(), embedder, isFirst ? 'current' : 'building')
    return true
  })
}

/** Waits for an idle period. Returns false, and ends the turn, if there will be none. */
async function waitIdle(turn: Turn): Promise<boolean> {
  const isIdle = (await turn.idle?.()) ?? true
  if (!isIdle) turn.timesLeft = 0
  turn.signal.throwIfAborted()
  return isIdle
}

/** Embeds passages one by one with the built-in encoder, each in an idle period, until the turn ends. */
async function vectorsOfPassages(embedder: Embedder, texts: readonly MessageText[], turn: Turn) {
  const rows: VectorRow[] = []
  for (const text of texts) {
    const vectors: ArrayLike<number>[] = []
    for (const passage of passagesOf(text)) {
      if (!(await waitIdle(turn))) return rows
      vectors.push(...(await embedder.embed([passage], 'document', turn.signal)))
    }
    rows.push({ seq: text.seq, inboxId: text.inboxId, numbers: quantized(vectors) })
  }
  return rows
}

/** Embeds whole messages together. */
async function vectorsOfTexts(embedder: Embedder, texts: readonly MessageText[], turn: Turn) {
  if (!(await waitIdle(turn))) return []
  const vectors = await embedder.embed(texts.map(wholeText), 'document', turn.signal)
  return texts.map(({ seq, inboxId }, i): VectorRow => {
    const vector = vectors[i] ?? []
    return { seq, inboxId, numbers: quantized([vector]) }
  })
}

/** Embeds the next messages. Returns true if there are more than the few that arrive meanwhile. */
async function embedSome(ports: EmbedJobPorts, model: SearchModel | undefined, turn: Turn): Promise<boolean> {
  const embedder = embedderOf(ports, model)
  if (!model || !embedder) return false
  const isBuiltIn = ports.embedders?.isBuiltIn ?? false
  const limit = isBuiltIn ? maxAtOnceBuiltIn : maxAtOnce
  for (const share of ['reached', 'reached_bulk'] as const) {
    const head = await headOf(ports, model.tenant_id)
    const texts = await textsAfter(ports.store.db, model.tenant_id, share, model[share], limit)
    if (texts.length === 0 && model[share] >= head) continue
    const vectorsOf = isBuiltIn ? vectorsOfPassages : vectorsOfTexts
    const rows = texts.length > 0 ? await vectorsOf(embedder, texts, turn) : []
    if (rows.length === 0 && texts.length > 0) return true
    // Few texts are all up to the head: the next step does not read them again.
    const isAll = texts.length < limit && rows.length === texts.length
    const reached = isAll ? Math.max(head, rows.at(-1)?.seq ?? 0) : rows.at(-1)!.seq
    const isSaved = await changeAccount(ports, model.tenant_id, (change) =>
      save(change, model, share, rows, reached),
    )
    // Bulk mail follows once few messages of people wait.
    if (texts.length === limit) return isSaved
  }
  return false
}

/** Returns the end of an account's log. */
async function headOf(ports: EmbedJobPorts, tenantId: string): Promise<number> {
  const account = ports.store.db.selectFrom('accounts').select('seq').where('tenant_id', '=', tenantId)
  return (await account.executeTakeFirst())?.seq ?? 0
}

/**
 * Stores vectors, except of messages erased meanwhile. Does nothing if another node has, or the model was
 * deleted.
 */
async function save(
  { tx }: ChangeContext,
  { id, tenant_id, ...seen }: SearchModel,
  share: Share,
  rows: readonly VectorRow[],
  reached: number,
): Promise<boolean> {
  const { current, building } = await modelsOf(tx, tenant_id)
  const model = [current, building].find((one) => one?.id === id)
  if (!model) return false
  if (model[share] !== seen[share]) return true
  if (rows.length === 0) {
    await updateModel(tx, model, { [share]: reached })
    return true
  }
  const there = await tx
    .selectFrom('messages')
    .select('created_seq')
    .where('tenant_id', '=', tenant_id)
    .where(
      'created_seq',
      'in',
      rows.map(({ seq }) => seq),
    )
    .execute()
  const existing = new Set(there.map((row) => row.created_seq))
  const kept = rows.filter(({ seq, numbers }) => existing.has(seq) && numbers.length > 0)
  await insertVectors(tx, model, kept)
  await updateModel(tx, model, { version: model.version + 1, [share]: reached })
  return true
}

/** Replaces the current model by the complete one. Returns whether it did. */
const replaceCurrent = (
  ports: EmbedJobPorts,
  tenantId: string,
  building: SearchModel | undefined,
): Promise<boolean> =>
  changeAccount(ports, tenantId, async ({ tx }) => {
    const models = await modelsOf(tx, tenantId)
    if (!models.building || models.building.id !== building?.id || !embedderOf(ports, building)) return false
    if (models.current) await deleteModel(tx, models.current)
    await updateModel(tx, models.building, { state: 'current' })
    return true
  })

/** Finishes the job, or postpones it until there is work again. */
const end = (ports: EmbedJobPorts, job: Job): Promise<boolean> =>
  changeAccount(ports, job.tenant_id, async ({ tx }) => {
    const { current } = await modelsOf(tx, job.tenant_id)
    for (const share of ['reached', 'reached_bulk'] as const) {
      if (!current || !embedderOf(ports, current)) break
      const [waiting] = await textsAfter(tx, job.tenant_id, share, current[share], 1)
      if (waiting) return postponeJob(tx, job, timeOf(ports.clock.now() + embedAfterMs))
    }
    // Nothing waits up to the later position: the backlog is read from there on.
    const reached = Math.max(current?.reached ?? 0, current?.reached_bulk ?? 0)
    if (current) await updateModel(tx, current, { reached, reached_bulk: reached })
    return finishJob(tx, job)
  })
