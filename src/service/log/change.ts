import type { Transaction } from 'kysely'
import { newId } from '../base/ids'
import { refuse } from '../base/refuse'
import { now } from '../base/time'
import type { LogEntry } from '../ports'
import { runPrepared } from '../store/prepared'
import type { Database } from '../store/tables/schema'
import { insertEvents, logEntry, logTopic, type NewEventRow } from './event-log'
import type { LogPorts } from './ports'
import type { ChangeContext } from './registry'

interface Appended {
  row: NewEventRow
  replyText: string | null
}

async function lockAccount(ports: Pick<LogPorts, 'store'>, tx: Transaction<Database>, tenantId: string) {
  const [account] = await runPrepared(tx, 'lock account', [tenantId], () => {
    const query = tx.selectFrom('accounts').selectAll().where('tenant_id', '=', tenantId)
    return ports.store.dialect === 'postgres' ? query.forNoKeyUpdate() : query
  })
  if (!account) throw refuse('account_not_found', 'The account of this key no longer exists.')
  return account
}

/** Runs a change to an account in one transaction with its events, then wakes the readers of its log. */
export async function changeAccount<T>(
  ports: LogPorts,
  tenantId: string,
  work: (change: ChangeContext) => Promise<T>,
): Promise<T> {
  const { result, events, topics } = await ports.store.write(async (tx) => {
    const account = await lockAccount(ports, tx, tenantId)
    const time = now(ports)
    const events: Appended[] = []
    const topics = new Set<string>()
    const change: ChangeContext = {
      tx,
      account,
      now: time,
      get nextSeq() {
        return account.seq + events.length + 1
      },
      append(type, inboxId, record) {
        const seq = change.nextSeq
        const id = newId('evt', ports.clock.now())
        const { reply_text, ...rest } = record
        const message_id = reply_text === undefined ? null : record.id
        const data = JSON.stringify({ ...rest, seq })
        const thread_id = type.startsWith('thread.') ? record.id : (record.thread_id ?? null)
        const row = { id, type, seq, inbox_id: inboxId, created_at: time, message_id, thread_id, data }
        events.push({ row, replyText: reply_text ?? null })
        return seq
      },
      moveThread(from, to) {
        for (const { row } of events) if (row.thread_id === from) row.thread_id = to
      },
      tell: (name, fact) => ports.registry.tell(change, name, fact),
      wake: (topic) => topics.add(topic),
    }
    const result = await work(change)
    await insertEvents(
      ports,
      tx,
      account,
      events.map((event) => event.row),
    )
    return { result, events, topics }
  }, tenantId)
  if (events.length > 0) {
    let entries: LogEntry[] | undefined
    ports.signals.publish(
      logTopic(tenantId),
      () => (entries ??= events.map(({ row, replyText }) => logEntry(row, replyText))),
    )
  }
  for (const topic of topics) ports.signals.publish(topic)
  return result
}
