import type { Transaction } from 'kysely'
import { runPrepared } from '../store/prepared'
import type { Database } from '../store/schema'
import type { Change } from './change'

const blankMessage = {
  from_addr: '',
  from_name: null,
  to_addrs: [],
  cc_addrs: [],
  bcc_addrs: [],
  reply_to: [],
  subject: '',
  preview: '',
  delivery_detail: null,
  attachments: [],
  rfc822_message_id: null,
  in_reply_to: null,
  references: [],
}
const blankThread = { subject: '', participants: [], preview: '' }
const blankDraft = { subject: '', to: [], cc: [], bcc: [], error: null }

/** What each kind of record says that somebody wrote; ids, times and states stay, and so does the shape. */
const contentOf = (type: string): Record<string, unknown> => {
  if (type.startsWith('thread.')) return blankThread
  if (type.startsWith('draft.')) return blankDraft
  return type.startsWith('message.') || /^label\.(un)?assigned$/.test(type) ? blankMessage : {}
}

/** The `data` of an event with nothing in it that was written in a mail. */
export function blankData(type: string, data: string): string {
  const record = JSON.parse(data) as Record<string, unknown>
  for (const [field, blank] of Object.entries(contentOf(type))) if (field in record) record[field] = blank
  return JSON.stringify(record)
}

/** Which events tell of what is erased. */
export type ErasedEvents =
  | { threadId: string; messageId?: string }
  /** All of an inbox, its drafts too. */
  | { inboxId: string }

const pageSize = 500

function readPage({ tx, account }: Change, erased: ErasedEvents, after: number) {
  const query = tx
    .selectFrom('events')
    .select(['seq', 'type', 'data'])
    .where('tenant_id', '=', account.tenant_id)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(pageSize)
  if ('inboxId' in erased) return query.where('inbox_id', '=', erased.inboxId).execute()
  const { threadId, messageId } = erased
  const ofThread = query.where('thread_id', '=', threadId)
  if (messageId === undefined) return ofThread.execute()
  return ofThread
    .where((or) => or.or([or('message_id', '=', messageId), or('type', '=', 'thread.updated')]))
    .execute()
}

/** What endpoints answered to these events may repeat what they were told. */
async function forgetResponses(tx: Transaction<Database>, tenantId: string, seqs: number[]): Promise<void> {
  const deliveries = tx
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('event_seq', 'in', seqs)
  await tx
    .updateTable('webhook_attempts')
    .set({ response_body: null })
    .where('tenant_id', '=', tenantId)
    .where('delivery_id', 'in', deliveries)
    .execute()
}

/**
 * Takes what was written in mail out of the log. The events stay, with their seq, type and ids: the log is dense,
 * and a reader that comes later sees that something was there, and then that it was deleted. Of the thread of an
 * erased message no earlier event keeps its subject, preview and participants: the event of the deletion has
 * those of today.
 */
export async function eraseEvents(change: Change, erased: ErasedEvents): Promise<void> {
  const { tx, account } = change
  const { tenant_id } = account
  for (let after = 0; ; ) {
    const page = await readPage(change, erased, after)
    const last = page.at(-1)
    if (!last) return
    after = last.seq
    for (const { seq, type, data } of page) {
      const blank = blankData(type, data)
      if (blank === data) continue
      await runPrepared(tx, 'blank event', [blank, tenant_id, seq], () =>
        tx
          .updateTable('events')
          .set({ data: blank })
          .where('tenant_id', '=', tenant_id)
          .where('seq', '=', seq),
      )
    }
    await forgetResponses(
      tx,
      tenant_id,
      page.map((row) => row.seq),
    )
  }
}
