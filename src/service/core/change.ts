import type { Selectable, Transaction } from 'kysely'
import type { EventType } from '../../protocol/event'
import type { LogEntry } from '../ports'
import { runPrepared } from '../store/prepared'
import type { AccountTable, Database } from '../store/schema'
import { type Core, type Ground, now } from './context'
import { insertEvents, logEntry, logTopic, type NewEventRow } from './event-log'
import { newId } from './ids'
import { refuse } from './refuse'

/**
 * A change to one account: its row is locked, so that its changes come one after the other and `seq` is dense
 * in the order of their commits, and what is appended commits with the change or not at all.
 */
export interface Change {
  readonly tx: Transaction<Database>
  readonly account: Selectable<AccountTable>
  /** When the change happens, as ISO 8601. */
  readonly now: string
  /** Appends an event; the record gets its `seq`, which is returned. */
  append(type: EventType, inboxId: string | null, record: EventRecord): number
  /** Lets what was appended about a thread be found under another id, which it has from now on. */
  moveThread(from: string, to: string): void
  /** Wakes the readers of a topic once the change is committed. */
  wake(topic: string): void
}

/** What an event tells of; the text of a message is stored with the message only. */
export type EventRecord = {
  id: string
  inbox_id?: string
  thread_id?: string | null
  reply_text?: string | null
  recipients?: readonly object[]
}

interface Appended {
  row: NewEventRow
  replyText: string | null
}

async function lockAccount(core: Pick<Core, 'store'>, tx: Transaction<Database>, tenantId: string) {
  const [account] = await runPrepared(tx, 'lock account', [tenantId], () => {
    const query = tx.selectFrom('accounts').selectAll().where('tenant_id', '=', tenantId)
    return core.store.dialect === 'postgres' ? query.forNoKeyUpdate() : query
  })
  if (!account) throw refuse('account_not_found', 'The account of this key no longer exists.')
  return account
}

/** Carries out a change to an account, its events included, and wakes the readers of its log. */
export async function changeAccount<T>(
  core: Ground,
  tenantId: string,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  const { result, events, topics } = await core.store.write(async (tx) => {
    const account = await lockAccount(core, tx, tenantId)
    const time = now(core)
    const events: Appended[] = []
    const topics = new Set<string>()
    const result = await work({
      tx,
      account,
      now: time,
      append(type, inboxId, record) {
        const seq = account.seq + events.length + 1
        const id = newId('evt', core.clock.now())
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
      wake: (topic) => topics.add(topic),
    })
    await insertEvents(
      tx,
      tenantId,
      events.map((event) => event.row),
    )
    return { result, events, topics }
  })
  if (events.length > 0) {
    let entries: LogEntry[] | undefined
    core.signals.publish(
      logTopic(tenantId),
      () => (entries ??= events.map(({ row, replyText }) => logEntry(row, replyText))),
    )
  }
  for (const topic of topics) core.signals.publish(topic)
  return result
}
