import { setTimeout as pause } from 'node:timers/promises'
import type { ChangePorts } from '../accounts/ports'
import { findAccountId } from '../inbound/recipient-check'
import { createJobRunner } from '../jobs/job-runner'
import { searchTopic } from '../messages/add-message'
import { createResolver } from '../net/resolver'
import { countOutdated, requestReindexing } from '../search/index-messages'
import { SearchIndexer } from '../search/indexer'
import { embedByJob } from '../search/semantic/embed-account'
import { openEmbedders } from '../search/semantic/open-embedders'
import { countEmbedded, embeddingsTopic, requestEmbedding } from '../search/semantic/request-embedding'
import { createSemantics } from '../search/semantic/semantics'
import { createSearchThreads } from '../search/semantic/threads'
import type { AdminPorts } from './ports'

/** Progress of indexing and embedding messages again. */
export interface Reindexed {
  messages: number
  /** Messages whose words are indexed again. */
  indexed: number
  embedded: number
}

/** Options of {@link reindex}. */
interface ReindexOptions {
  onProgress?: (progress: Reindexed) => void
  /** False if embeddings are off: then only words are indexed. */
  embeds: boolean
  /** Returns true once the process stops; the requested work is done later. */
  isClosing?: () => boolean
}

const lookEveryMs = 300

async function reindexAccounts(
  ports: ChangePorts,
  accounts: readonly string[],
  counts: Reindexed,
  { embeds, onProgress = () => {}, isClosing = () => false }: ReindexOptions,
): Promise<void> {
  const before = { ...counts }
  const embedAnew = (tenantId: string) =>
    ports.store.write((tx) => requestEmbedding(ports, tx, tenantId, { anew: true }))
  for (const tenantId of accounts) {
    await ports.store.write((tx) => requestReindexing(tx, tenantId))
    // A job that runs takes no order.
    while (embeds && !(await embedAnew(tenantId))) {
      if (isClosing()) return
      await pause(lookEveryMs)
    }
  }
  ports.signals.publish(embeddingsTopic)
  ports.signals.publish(searchTopic)
  for (;;) {
    const startedMs = performance.now()
    let isDone = true
    const own = { messages: 0, indexed: 0, embedded: 0 }
    for (const tenantId of accounts) {
      const { messages, embedded, isWhole } = await countEmbedded(ports.store.db, tenantId)
      const outdated = await countOutdated(ports.store.db, tenantId)
      isDone &&= (isWhole || !embeds) && outdated === 0
      own.messages += messages
      own.indexed += messages - outdated
      own.embedded += embedded
    }
    counts.messages = before.messages + own.messages
    counts.indexed = before.indexed + own.indexed
    counts.embedded = before.embedded + own.embedded
    onProgress({ ...counts })
    if (isDone || isClosing()) return
    // Counting reads every message of the accounts: it takes a small share of the time.
    await pause(Math.max(lookEveryMs, 20 * (performance.now() - startedMs)))
  }
}

const accountsAtOnce = 20

async function reindex(
  ports: ChangePorts,
  account: string | undefined,
  options: ReindexOptions,
): Promise<Reindexed> {
  const counts = { messages: 0, indexed: 0, embedded: 0 }
  const rows =
    account === undefined
      ? await ports.store.db.selectFrom('accounts').select('tenant_id').orderBy('tenant_id').execute()
      : [{ tenant_id: await findAccountId(ports, account) }]
  for (let at = 0; at < rows.length; at += accountsAtOnce) {
    const some = rows.slice(at, at + accountsAtOnce).map((row) => row.tenant_id)
    await reindexAccounts(ports, some, counts, options)
  }
  return counts
}

/** Runs the embedding queue and the indexer in this process. */
async function workHere(given: AdminPorts) {
  const threads = createSearchThreads()
  const embedders = await openEmbedders(given.place, threads, createResolver())
  // Fields by name: a copy of all would also read the secret, which this needs not.
  const { store, clock, logger, signals, registry, knownRecipients, settings } = given
  const ports = {
    ...{ store, clock, logger, signals, registry, knownRecipients, settings },
    ...{ threads, embedders, semantics: createSemantics({ store, clock, logger, threads, embedders }) },
  }
  const runner = createJobRunner({
    ports,
    queue: 'embeddings',
    concurrency: 1,
    work: (job, signal) => embedByJob(ports, job, signal),
  })
  const indexer = new SearchIndexer(ports, threads)
  return {
    async close() {
      await Promise.all([runner.close(), indexer.close()]).finally(() => threads.close())
    },
  }
}

/**
 * Indexes and embeds messages again, of one account or of all, while searches continue. Without
 * a running service this process does the work; with PostgreSQL it helps the running ones.
 *
 * @throws ServiceError `account_not_found`
 */
export async function reindexHere(
  ports: AdminPorts,
  { account }: { account?: string | undefined },
  onProgress: (progress: Reindexed) => void,
): Promise<Reindexed> {
  const { service, place } = ports
  const embeds = place.embeddings !== 'off' || place.embeddingsUrl !== undefined
  if (service) return reindex(ports, account, { embeds, onProgress, isClosing: service.isClosing })
  const worker = await workHere(ports)
  return reindex(ports, account, { embeds, onProgress }).finally(() => worker.close())
}
