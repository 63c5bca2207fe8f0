import { setTimeout as pause } from 'node:timers/promises'
import type { ChangePorts } from '../accounts'
import { findAccountId } from '../inbound'
import { countEmbedded, embeddingsTopic, requestEmbedding } from '../search/semantic'

/** Numbers of messages to embed, and of those that are embedded. */
export interface Reindexed {
  messages: number
  embedded: number
}

/** Options of {@link reindex}. */
export interface ReindexOptions {
  onProgress?: (progress: Reindexed) => void
  /** Returns true once the process stops; the requested work is done later. */
  isClosing?: () => boolean
}

const lookEveryMs = 300

async function reindexAccounts(
  ports: ChangePorts,
  accounts: readonly string[],
  counts: Reindexed,
  { onProgress = () => {}, isClosing = () => false }: ReindexOptions,
): Promise<void> {
  const before = { ...counts }
  for (const tenantId of accounts)
    while (!(await ports.store.write((tx) => requestEmbedding(ports, tx, tenantId, { anew: true }))))
      await pause(lookEveryMs)
  ports.signals.publish(embeddingsTopic)
  for (;;) {
    let isDone = true
    const own = { messages: 0, embedded: 0 }
    for (const tenantId of accounts) {
      const { messages, embedded, isWhole } = await countEmbedded(ports.store.db, tenantId)
      isDone &&= isWhole
      own.messages += messages
      own.embedded += embedded
    }
    counts.messages = before.messages + own.messages
    counts.embedded = before.embedded + own.embedded
    onProgress({ ...counts })
    if (isDone || isClosing()) return
    await pause(lookEveryMs)
  }
}

const accountsAtOnce = 20

/**
 * Trains the embeddings and embeds messages again, of one account or of all. The running services do the
 * work, and searches go on.
 *
 * @throws ServiceError `account_not_found`
 */
export async function reindex(
  ports: ChangePorts,
  account?: string,
  options: ReindexOptions = {},
): Promise<Reindexed> {
  const counts = { messages: 0, embedded: 0 }
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
