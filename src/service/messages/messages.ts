import type { Kysely } from 'kysely'
import { splitAddress } from '../../mail/headers/address'
import { provenView } from '../../protocol/proven-view'
import type { Message, MessageSummary, RecipientStatus } from '../../protocol/records/message'
import { requireReader } from '../accounts/account'
import type { Caller, Scope } from '../accounts/keys'
import { notFound } from '../base/refuse'
import { seesNames } from '../base/sender'
import { hasInbox, hasThread } from '../inboxes/inboxes'
import type { ChangeContext } from '../log/registry'
import type { Findings, MailParser } from '../ports'
import {
  bodyTextOf,
  type ShortTextRow,
  selectShortText,
  selectVerbatim,
  shortTextOf,
} from '../store/message-text'
import type { Database } from '../store/tables/schema'
import { labelNamesOf } from './label-names'
import { readOriginal } from './originals'
import type { MessagePorts } from './ports'
import {
  type AttachmentRow,
  authenticationOf,
  type MessageRow,
  messageColumns,
  messageRecord,
  type SummaryRow,
  summaryColumns,
  summaryRecord,
} from './records'

/** Finds the codes and links of an inbound message when it is read, so that ingest is not slowed. */
async function findingsOf(ports: { parser: MailParser }, row: MessageRow): Promise<Findings> {
  if (row.direction !== 'inbound') return { codes: [], links: [] }
  // Anyone can write another Subject over a message whose signature does not cover it.
  const { subject } = provenView({ subject: row.subject, authentication: authenticationOf(row) })
  const senderDomain = splitAddress(row.from_addr)?.domain ?? null
  const found = await ports.parser.findings({
    ...{ subject, text: row.body_text, html: row.body_html, senderDomain },
  })
  // Links of a bounce only explain it.
  return row.auto_reason === 'bounce' ? { ...found, links: [] } : found
}

/** Returns the attachments of messages, by message. */
export async function attachmentsOf(
  db: Kysely<Database>,
  tenantId: string,
  messageIds: string[],
): Promise<Map<string, AttachmentRow[]>> {
  const found = new Map<string, AttachmentRow[]>()
  if (messageIds.length === 0) return found
  const rows = await db
    .selectFrom('attachments')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('message_id', 'in', messageIds)
    .where('parent_id', 'is', null)
    .orderBy('position')
    .execute()
  for (const row of rows) found.set(row.message_id, [...(found.get(row.message_id) ?? []), row])
  return found
}

type ListedRow = Omit<SummaryRow, 'reply_text'> & ShortTextRow

/** Returns messages in the form of lists. @param names whether to name their senders, or only the kind */
export async function summariesOf(
  { store: { db } }: { store: { db: Kysely<Database> } },
  tenantId: string,
  rows: readonly ListedRow[],
  names: boolean,
): Promise<MessageSummary[]> {
  const attachments = await attachmentsOf(
    db,
    tenantId,
    rows.map((row) => row.id),
  )
  const labels = await labelNamesOf(db, tenantId, rows)
  return rows.map((row) =>
    summaryRecord({ ...row, reply_text: shortTextOf(row) }, attachments.get(row.id) ?? [], labels, names),
  )
}

/** Returns messages by their ids, in the form of lists; missing ones are left out. */
export async function readSummaries(
  ports: MessagePorts,
  scope: Scope,
  ids: readonly string[],
): Promise<Map<string, MessageSummary>> {
  if (ids.length === 0) return new Map()
  const rows = await ports.store.db
    .selectFrom('messages')
    .select(summaryColumns)
    .select(selectShortText)
    .where('tenant_id', '=', scope.tenantId)
    .where('id', 'in', ids)
    .execute()
  return new Map(
    (await summariesOf(ports, scope.tenantId, rows, seesNames(scope))).map((message) => [
      message.id,
      message,
    ]),
  )
}

/** Logs the present state of a message as an event, and raises its `seq`. Does nothing if it was erased. */
export async function announceMessage(change: ChangeContext, id: string): Promise<void> {
  const { tx, account } = change
  const found = await tx
    .selectFrom('messages')
    .select(summaryColumns)
    .select(selectShortText)
    .where('tenant_id', '=', account.tenant_id)
    .where('id', '=', id)
    .where(hasInbox('messages'))
    .where(hasThread)
    .execute()
  const [record] = await summariesOf({ store: { db: tx } }, account.tenant_id, found, true)
  if (!record) return
  const seq = change.append('message.updated', record.inbox_id, record)
  await tx
    .updateTable('messages')
    .set({ seq })
    .where('tenant_id', '=', account.tenant_id)
    .where('id', '=', id)
    .execute()
}

/** Marks an inbound message as answerable, with an event. */
export async function makeAnswerable(change: ChangeContext, id: string): Promise<void> {
  await change.tx
    .updateTable('messages')
    .set({ unanswerable: null })
    .where('tenant_id', '=', change.account.tenant_id)
    .where('id', '=', id)
    .execute()
  await announceMessage(change, id)
}

/** Returns the row of a message that the key reaches. @throws ServiceError `not_found` */
export const messageRow = (ports: MessagePorts, scope: Scope, id: string): Promise<MessageRow> =>
  messageRowIn(ports.store.db, scope, id)

/** Returns the row of a message that the key reaches, in a transaction. @throws ServiceError `not_found` */
export async function messageRowIn(db: Kysely<Database>, scope: Scope, id: string): Promise<MessageRow> {
  const row = await db
    .selectFrom('messages')
    .select(messageColumns)
    .select(selectVerbatim)
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .where(hasInbox('messages'))
    .where(hasThread)
    .executeTakeFirst()
  if (!row || (scope.inboxId && scope.inboxId !== row.inbox_id)) throw notFound('message', id)
  const { verbatim, ...rest } = row
  return { ...rest, body_text: bodyTextOf(row) }
}

/** Returns the status of a sent message for each recipient; empty for an inbound one. */
export const recipientStatuses = (
  db: Kysely<Database>,
  tenantId: string,
  messageId: string,
): Promise<RecipientStatus[]> =>
  db
    .selectFrom('recipients')
    .select(['address', 'status', 'reason', 'kind', 'detail'])
    .where('tenant_id', '=', tenantId)
    .where('message_id', '=', messageId)
    .orderBy('address')
    .execute()

/** @throws ServiceError `not_found`, `account_expired` */
export async function readMessage(ports: MessagePorts, scope: Caller, id: string): Promise<Message> {
  requireReader(ports, scope)
  const row = await messageRow(ports, scope, id)
  const attachments = await attachmentsOf(ports.store.db, scope.tenantId, [id])
  const labels = await labelNamesOf(ports.store.db, scope.tenantId, [row])
  const record = messageRecord(
    row,
    attachments.get(id) ?? [],
    labels,
    await findingsOf(ports, row),
    seesNames(scope),
  )
  if (row.direction === 'inbound') return record
  return { ...record, recipients: await recipientStatuses(ports.store.db, scope.tenantId, id) }
}

/** Returns the original, byte for byte. @throws ServiceError `not_found`, `account_expired` */
export async function readRaw(ports: MessagePorts, scope: Caller, id: string): Promise<Uint8Array> {
  requireReader(ports, scope)
  await messageRow(ports, scope, id)
  return readOriginal(ports, scope.tenantId, id)
}
