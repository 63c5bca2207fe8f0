import type { ChangeContext } from '../log/registry'
import { runPrepared } from '../store/prepared'

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
  recipients: [],
  rfc822_message_id: null,
  in_reply_to: null,
  references: [],
}
const blankThread = { subject: '', participants: [], preview: '' }
const blankDraft = { subject: '', to: [], cc: [], bcc: [], error: null }
const blankInbox = { name: null }

/** Returns blanks for the fields that people wrote, by type of event; ids, times and states stay. */
const contentOf = (type: string): Record<string, unknown> => {
  if (type.startsWith('thread.')) return blankThread
  if (type.startsWith('draft.')) return blankDraft
  if (type.startsWith('inbox.')) return blankInbox
  return type.startsWith('message.') || /^label\.(un)?assigned$/.test(type) ? blankMessage : {}
}

/** Returns the `data` of an event without any content of a message. */
function blankData(type: string, data: string): string {
  const record = JSON.parse(data) as Record<string, unknown>
  for (const [field, blank] of Object.entries(contentOf(type))) if (field in record) record[field] = blank
  return JSON.stringify(record)
}

/** Record whose events are blanked, and the position after which they start. */
export type ErasedEvents = { after: number } & (
  | { of: 'message'; id: string; threadId: string }
  | { of: 'thread'; id: string }
  | { of: 'inbox'; id: string }
  | { of: 'draft'; id: string; inboxId: string }
)

const maxRows = 500
/** Maximum number of log positions per step if no index leads to the events. */
const maxPositions = 2_000

interface Page {
  rows: { seq: number; type: string; created_at: string; data: string }[]
  /** Position to go on from; null at the end. */
  next: number | null
}

/** Returns the position before the first existing event, which may precede the log start. */
async function beforeFirst({ tx, account }: ChangeContext): Promise<number> {
  const row = await tx
    .selectFrom('events')
    .select('seq')
    .where('tenant_id', '=', account.tenant_id)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  return row ? row.seq - 1 : account.log_start
}

async function readPage(change: ChangeContext, erased: ErasedEvents): Promise<Page> {
  const { tx, account } = change
  const after = Math.max(erased.after, await beforeFirst(change))
  const query = tx
    .selectFrom('events')
    .select(['seq', 'type', 'created_at', 'data'])
    .where('tenant_id', '=', account.tenant_id)
    .where('seq', '>', after)
    .orderBy('seq')
  if (erased.of === 'inbox' || erased.of === 'draft') {
    const to = after + maxPositions
    const inboxId = erased.of === 'inbox' ? erased.id : erased.inboxId
    const rows = await query.where('seq', '<=', to).where('inbox_id', '=', inboxId).execute()
    return { rows, next: to < account.seq ? to : null }
  }
  const ofThread = query
    .where('thread_id', '=', erased.of === 'thread' ? erased.id : erased.threadId)
    .limit(maxRows)
  const rows = await (erased.of === 'thread'
    ? ofThread
    : ofThread.where((or) => or.or([or('message_id', '=', erased.id), or('type', '=', 'thread.updated')]))
  ).execute()
  return { rows, next: rows.length === maxRows ? rows.at(-1)!.seq : null }
}

/**
 * Deletes the responses of endpoints to these events, since they may repeat event data. A current attempt is
 * made again, so that its response is not stored either.
 */
async function forgetResponses({ tx, account }: ChangeContext, seqs: number[]): Promise<void> {
  const { tenant_id } = account
  const dispatches = tx
    .selectFrom('webhook_dispatches')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('event_seq', 'in', seqs)
  await tx
    .updateTable('webhook_attempts')
    .set({ response_body: null })
    .where('tenant_id', '=', tenant_id)
    .where('dispatch_id', 'in', dispatches)
    .execute()
  await tx
    .updateTable('webhook_dispatches')
    .set({ lease_token: null })
    .where('tenant_id', '=', tenant_id)
    .where('event_seq', 'in', seqs)
    .where('lease_token', 'is not', null)
    .execute()
}

async function blankEvent(
  { tx, account }: ChangeContext,
  { seq, type, created_at, data }: Page['rows'][number],
): Promise<void> {
  const { tenant_id } = account
  const blank = blankData(type, data)
  if (blank === data) return
  // The time selects one partition.
  await runPrepared(tx, 'blank event', [blank, tenant_id, seq, created_at], () =>
    tx
      .updateTable('events')
      .set({ data: blank })
      .where('tenant_id', '=', tenant_id)
      .where('seq', '=', seq)
      .where('created_at', '=', created_at),
  )
}

const tellsOf = (erased: ErasedEvents, { type, data }: Page['rows'][number]): boolean =>
  erased.of !== 'draft' ||
  (type.startsWith('draft.') && (JSON.parse(data) as { id: string }).id === erased.id)

/**
 * Blanks message content in the next part of the log. The events keep their seq, type and ids: the log is
 * dense, and later readers see that a record existed and was deleted. Earlier events of the thread of an
 * erased message lose subject, preview and participants too: the event of the deletion has the current ones.
 *
 * @returns the position to go on from; null at the end
 */
export async function eraseSomeEvents(change: ChangeContext, erased: ErasedEvents): Promise<number | null> {
  const page = await readPage(change, erased)
  const rows = page.rows.filter((row) => tellsOf(erased, row))
  for (const row of rows) await blankEvent(change, row)
  if (rows.length > 0)
    await forgetResponses(
      change,
      rows.map((row) => row.seq),
    )
  return page.next
}
