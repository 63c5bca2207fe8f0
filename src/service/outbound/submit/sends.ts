import type { Kysely, Transaction } from 'kysely'
import type { Draft } from '../../../protocol/records/draft'
import type { SendResult } from '../../../protocol/records/message'
import type { Scope } from '../../accounts/keys'
import { refuse } from '../../base/refuse'
import { sha256 } from '../../base/secrets'
import type { StoredSender } from '../../base/sender'
import type { Database } from '../../store/tables/schema'
import { type DraftRow, draftRecord } from './draft-records'

/** Answer to a send: the result, or the scheduled draft. */
export type SendAnswer = SendResult | Draft

/** A name that the caller chose for a send, so that repeated requests send once. */
export interface IdempotencyKey {
  clientId: string
  fingerprint: string
  replay: 'strict' | 'first_wins'
  /** True if the name is free again once its draft was deleted or rejected. */
  releaseOnDiscard: boolean
  /** The only inbox that the caller reaches; null for the whole account. */
  inboxId: string | null
}

/** A send that can be repeated safely if it has a client_id. */
export interface Replayable {
  client_id?: string | undefined
  replay: IdempotencyKey['replay']
  release_on_discard: boolean
  /** What to do if people hold the thread. */
  when_held?: 'refuse' | 'draft' | undefined
  /** Consumer whose handler sends it. */
  consumer?: string | undefined
  /** Number of messages that the program had read. */
  messages_read?: number | undefined
}

/** Returns the sender: the consumer that a program names, else the caller. Null for the service itself. */
export function senderIn(
  { sender }: Pick<Scope, 'sender'>,
  consumer: string | undefined,
): StoredSender | null {
  if (consumer === undefined || sender?.kind !== 'key') return sender ?? null
  return { kind: 'consumer', id: consumer, name: consumer }
}

/**
 * Reads the idempotency key of a send; null without a client_id. The same send has the same fingerprint, in
 * any order of its fields.
 */
export function idempotencyKeyOf(
  kind: string,
  request: Replayable & object,
  { inboxId }: Pick<Scope, 'inboxId'>,
): IdempotencyKey | null {
  const { client_id, replay, release_on_discard: releaseOnDiscard, ...given } = request
  const { consumer: _consumer, when_held: _whenHeld, messages_read: _read, ...content } = given
  if (client_id === undefined) return null
  const sorted = Object.entries(content)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const fingerprint = sha256(JSON.stringify([kind, sorted]))
  return { clientId: client_id, replay, releaseOnDiscard, inboxId, fingerprint }
}

interface SentRow {
  id: string
  thread_id: string
  rfc822_message_id: string | null
}

const resultOf = ({ id, thread_id, rfc822_message_id }: SentRow): SendResult => ({
  id,
  thread_id,
  message_id: rfc822_message_id!,
  relay_message_id: id,
  idempotent: true,
})

/**
 * Reads the draft of a scheduled send.
 *
 * @throws ServiceError `client_id_conflict` if it was deleted since
 */
async function waitingDraft(db: Kysely<Database>, tenantId: string, id: string): Promise<Draft> {
  const row = await db
    .selectFrom('drafts')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row) return draftRecord(row)
  throw refuse(
    'client_id_conflict',
    `The client_id was used for the draft ${id}, which was deleted. Use a new one to send or create it again.`,
    { draft_id: id },
  )
}

/**
 * Finds the send of an idempotency key. @throws ServiceError `client_id_conflict` if the key was used for
 * another send
 */
async function findSend(db: Kysely<Database>, tenantId: string, idempotencyKey: IdempotencyKey) {
  const row = await db
    .selectFrom('sends')
    .leftJoin('messages', (join) =>
      join.onRef('messages.tenant_id', '=', 'sends.tenant_id').onRef('messages.id', '=', 'sends.message_id'),
    )
    .leftJoin('drafts', (join) =>
      join.onRef('drafts.tenant_id', '=', 'sends.tenant_id').onRef('drafts.id', '=', 'sends.draft_id'),
    )
    .select((row) => [
      row.fn.coalesce('messages.inbox_id', 'drafts.inbox_id').as('inbox_id'),
      'sends.fingerprint',
      'sends.draft_id',
      'drafts.status as draft_status',
      'sends.message_id as id',
      row.fn.coalesce('messages.thread_id', 'sends.thread_id').$notNull().as('thread_id'),
      row.fn.coalesce('messages.rfc822_message_id', 'sends.rfc822_message_id').as('rfc822_message_id'),
    ])
    .where('sends.tenant_id', '=', tenantId)
    .where('sends.client_id', '=', idempotencyKey.clientId)
    .executeTakeFirst()
  if (row?.inbox_id && idempotencyKey.inboxId !== null && idempotencyKey.inboxId !== row.inbox_id)
    throw refuse(
      'client_id_conflict',
      'The client_id was used in another inbox of the account, which this key does not reach: use a new one.',
    )
  const isDiscarded = row?.id === '' && (row.draft_status ?? 'rejected') === 'rejected'
  if (isDiscarded && idempotencyKey.releaseOnDiscard) return undefined
  if (row && idempotencyKey.replay === 'strict' && row.fingerprint !== idempotencyKey.fingerprint) {
    throw refuse(
      'client_id_conflict',
      `The client_id was used for ${row.id || row.draft_id}, which has other content. Use a new one for a new message, or replay "first_wins" to get the first result.`,
      row.id === '' ? { draft_id: row.draft_id } : { message_id: row.id },
    )
  }
  return row
}

/**
 * Finds the result of an earlier identical send; null if there is none.
 *
 * @throws ServiceError `client_id_conflict`
 */
export async function findReplay(
  db: Kysely<Database>,
  tenantId: string,
  idempotencyKey: IdempotencyKey,
): Promise<SendAnswer | null> {
  const row = await findSend(db, tenantId, idempotencyKey)
  if (!row) return null
  return row.id === '' ? waitingDraft(db, tenantId, row.draft_id!) : resultOf(row)
}

/**
 * Finds the draft created under this idempotency key, even if it was sent since; null if there is none.
 *
 * @throws ServiceError `client_id_conflict`
 */
export async function findDraft(
  db: Kysely<Database>,
  tenantId: string,
  idempotencyKey: IdempotencyKey,
): Promise<Draft | null> {
  const row = await findSend(db, tenantId, idempotencyKey)
  if (!row) return null
  if (row.draft_id !== null) return waitingDraft(db, tenantId, row.draft_id)
  throw refuse(
    'client_id_conflict',
    `The client_id was used for the message ${row.id}: use a new one for a draft.`,
    { message_id: row.id },
  )
}

/** Reads the result of an earlier send; null if its message was deleted. */
export async function sentAs(
  db: Kysely<Database>,
  tenantId: string,
  messageId: string,
): Promise<SendResult | null> {
  const row = await db
    .selectFrom('messages')
    .select(['id', 'thread_id', 'rfc822_message_id'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', messageId)
    .executeTakeFirst()
  return row ? resultOf(row) : null
}

/** Stores the result of a send: a message, or a scheduled draft. */
export async function recordSend(
  tx: Transaction<Database>,
  tenantId: string,
  idempotencyKey: IdempotencyKey,
  led: { messageId: string } | { draftId: string },
): Promise<void> {
  const row = {
    tenant_id: tenantId,
    client_id: idempotencyKey.clientId,
    fingerprint: idempotencyKey.fingerprint,
    ...('draftId' in led ? { message_id: '', draft_id: led.draftId } : { message_id: led.messageId }),
  }
  // A released name refers to its new result.
  if (idempotencyKey.releaseOnDiscard)
    await tx
      .deleteFrom('sends')
      .where('tenant_id', '=', tenantId)
      .where('client_id', '=', idempotencyKey.clientId)
      .execute()
  await tx.insertInto('sends').values(row).execute()
}

/** Points the client_id of a draft to the message that it became. */
export async function redirectSend(
  tx: Transaction<Database>,
  { tenant_id, id }: Pick<DraftRow, 'tenant_id' | 'id'>,
  messageId: string,
): Promise<void> {
  await tx
    .updateTable('sends')
    .set({ message_id: messageId })
    .where('tenant_id', '=', tenant_id)
    .where('draft_id', '=', id)
    .execute()
}
