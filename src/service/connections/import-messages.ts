import type { Transaction } from 'kysely'
import { headerValue, readHeaders } from '../../mail/headers/header-reader'
import { extractMessageIds } from '../../mail/headers/message-id'
import { isServiceError } from '../../protocol/errors/error'
import { maxMailBytes } from '../../protocol/records/upload-limit'
import { traced, traceparent } from '../../protocol/trace'
import type { InboxRow } from '../accounts/account-inboxes'
import { takeStorage } from '../accounts/storage'
import type { StoredSender } from '../base/sender'
import { type Outcome, receive } from '../inbound/ingest'
import { inboxRowIn } from '../inboxes/inboxes'
import { changeAccount } from '../log/change'
import type { ChangeContext } from '../log/registry'
import {
  type AddedMessage,
  MessageAdder,
  maxKeptBytes,
  type NewMessage,
  storedBytesOf,
} from '../messages/add-message'
import type { ThreadRow } from '../messages/records'
import { findThread } from '../messages/threads'
import { hopsOf } from '../messages/unanswerable'
import { padded, runPrepared } from '../store/prepared'
import type { Store } from '../store/store'
import type { Database } from '../store/tables/schema'
import { holdAfterReply } from '../takeover/reply-hold'
import { isOld, isOlder, saveFolder } from './folders'
import { type createJudge, incomingMessage, outgoingMessage, type ReadMail } from './inbound-mail'
import { contentKey, filedKey, keysOf, knownKeys, noteKeys, olderKey } from './keys'
import { passed } from './obstacles'
import type { ConnectionPorts } from './ports'
import type { ConnectionRow, FolderRow } from './records'
import { type MailSource, MailSourceError, type SourceMail } from './source/mail-source'

/** Bytes read in one batch, from which on it is complete. */
const maxBatchBytes = 8 * 1024 * 1024
const maxHeaderBytes = 256 * 1024

/** Context of ingesting the messages of one connection. */
export interface ImportContext {
  ports: ConnectionPorts
  row: ConnectionRow
  inbox: InboxRow
  source: MailSource
  judge: ReturnType<typeof createJudge>
  /** True if the caller named the time of `since`. */
  isExact: boolean
  /**
   * Rejects if the connection was changed, deleted or leased to another worker: then nothing may be written.
   */
  requireLease(tx: Transaction<Database>): Promise<void>
}

interface Prepared {
  keys: string[]
  /** Null if it must not be ingested. */
  message: NewMessage | null
  /** True if it arrived before the mailbox was connected. */
  isOlder: boolean
}

/** Messages of a folder that are committed together, with the position after them. */
export interface Batch {
  prepared: Prepared[]
  /** UID of the last message. */
  upTo: number
}

/** Returns those of the Message-IDs that have messages in the inbox. */
async function arrivedIds(db: Store['db'], row: ConnectionRow, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('thread_keys')
    .select('rfc822_message_id')
    .where('tenant_id', '=', row.tenant_id)
    .where('inbox_id', '=', row.inbox_id)
    .where('rfc822_message_id', 'in', ids)
    .where('message_id', 'is not', null)
    .execute()
  return new Set(rows.map((one) => one.rfc822_message_id))
}

const messageIdOf = ({ header }: SourceMail): string | null => {
  const value = headerValue(readHeaders(header, maxHeaderBytes).fields, 'message-id')
  return value === undefined ? null : (extractMessageIds(value)[0] ?? null)
}

/**
 * Reads a described message, or the start of one that is too large; null if it was deleted.
 *
 * @throws MailSourceError `refused` if the server sends nothing of it
 */
export async function readMail(
  { source }: ImportContext,
  path: string,
  mail: SourceMail,
): Promise<ReadMail | null> {
  const { uid, size, isAnswered, isSeen, arrivedAt } = mail
  const isCut = size > maxMailBytes
  const raw = mail.raw ?? (await source.read(path, uid, isCut ? maxKeptBytes : maxMailBytes))
  if (raw?.byteLength === 0 && size > 0)
    throw new MailSourceError('refused', `The server gives nothing of UID ${uid}.`)
  const flaw = isCut ? 'too_large' : null
  return raw && { raw, size: isCut ? size : raw.byteLength, flaw, isAnswered, isSeen, arrivedAt }
}

const headerOf = ({ header: raw, size, isAnswered, isSeen, arrivedAt }: SourceMail): ReadMail => ({
  raw,
  size,
  flaw: 'incomplete',
  isAnswered,
  isSeen,
  arrivedAt,
})

/**
 * Reads the new messages of a list, up to the size of one batch.
 *
 * @param isWhole False if only the header is available.
 */
export async function prepare(
  context: ImportContext,
  folder: FolderRow,
  mails: readonly SourceMail[],
  isWhole = true,
): Promise<Batch> {
  const { ports, row, inbox, judge, isExact } = context
  const known = await knownKeys(ports.store.db, row, mails.flatMap(keysOf))
  const isSent = folder.role === 'sent'
  const ids = isSent ? mails.flatMap((mail) => messageIdOf(mail) ?? []) : []
  const arrived = await arrivedIds(ports.store.db, row, ids)
  const preparing: Promise<Prepared>[] = []
  let bytes = 0
  let upTo = folder.uid
  for (const mail of mails) {
    if (bytes >= maxBatchBytes) break
    upTo = mail.uid
    const keys = keysOf(mail)
    if (keys.some((key) => known.has(key))) continue
    if (isOld(row, isExact, mail) || arrived.has(messageIdOf(mail) ?? '')) {
      preparing.push(Promise.resolve({ keys, message: null, isOlder: true }))
      continue
    }
    const read = isWhole ? await readMail(context, folder.path, mail) : headerOf(mail)
    if (!read) continue
    bytes += read.raw.byteLength
    keys.push(await contentKey(read.raw, read.size, read.flaw !== null))
    const made = isSent
      ? outgoingMessage(ports, inbox, read)
      : incomingMessage(ports, judge, row, inbox, read)
    const one = made.then((message) => ({ keys, message, isOlder: isOlder(row, mail) }))
    // It may fail while others are still read; the await of all reports it.
    one.catch(() => {})
    preparing.push(one)
  }
  return { prepared: await Promise.all(preparing), upTo }
}

/** Returns those of the Message-IDs that a message from this inbox answers already. */
async function answeredAmong({ tx }: ChangeContext, row: ConnectionRow, ids: readonly string[]) {
  if (ids.length === 0) return new Set<string>()
  const asked = padded(ids)
  const { tenant_id, inbox_id } = row
  const answeredBy = (table: 'thread_keys' | 'thread_mentions') =>
    tx
      .selectFrom(`${table as 'thread_keys'} as key`)
      .innerJoin('messages', (join) =>
        join
          .onRef('messages.tenant_id', '=', 'key.tenant_id')
          .onRef('messages.thread_id', '=', 'key.thread_id')
          .onRef('messages.in_reply_to', '=', 'key.rfc822_message_id'),
      )
      .select('key.rfc822_message_id as id')
      .where('key.tenant_id', '=', tenant_id)
      .where('key.inbox_id', '=', inbox_id)
      .where('key.rfc822_message_id', 'in', asked)
      .where('messages.direction', '=', 'outbound')
  const parameters = [tenant_id, inbox_id, ...asked, 'outbound']
  const rows = await runPrepared(tx, `answered among ${asked.length}`, [...parameters, ...parameters], () =>
    answeredBy('thread_keys').unionAll(answeredBy('thread_mentions')),
  )
  return new Set(rows.map(({ id }) => id))
}

interface Fresh extends Prepared {
  message: NewMessage
}

/** Refusals that last until somebody acts: the message stays on the server meanwhile. */
const passing: ReadonlySet<string> = new Set([
  'account_suspended',
  'account_expired',
  'quota_exceeded',
  'storage_limit_reached',
])

function idOf(outcome: Outcome): string {
  if ('id' in outcome) return outcome.id
  const { error } = outcome
  // The account's lists refuse its sender for good.
  if (isServiceError(error) && error.status < 500 && !passing.has(error.code)) return ''
  throw error
}

async function addIncoming(
  context: ImportContext,
  change: ChangeContext,
  fresh: readonly Fresh[],
): Promise<string[]> {
  const ids = fresh.flatMap(({ message }) => message.mail.messageId ?? [])
  const answered = await answeredAmong(change, context.row, ids)
  const messages = fresh.map(({ message }) =>
    answered.has(message.mail.messageId ?? '') ? { ...message, answered: true } : message,
  )
  return (await receive(context.ports, change, messages)).map(idOf)
}

const addressesOf = ({ mail, bcc = [] }: NewMessage): string[] => [
  ...new Set([...[...mail.to, ...mail.cc].map(({ address }) => address), ...bcc]),
]

/** The owner of a connected mailbox, of whom no more is known. */
const mailboxOwner: StoredSender = { kind: 'operator', id: null, name: null }

/**
 * Returns whether a person wrote a message of the Sent folder as a reply. A copy of a message that this
 * service sent carries its mark, even if the server gave it another Message-ID.
 */
const isPersonsReply = ({ mail }: NewMessage, thread: ThreadRow): boolean =>
  thread.message_count > 1 && mail.autoSubmitted === 'no' && hopsOf(mail.headers) === 0

/** Holds the thread of a reply that a person sent from the mailbox, once it is connected. */
async function holdForSent(
  { ports, row, inbox }: ImportContext,
  change: ChangeContext,
  message: NewMessage,
  { threadId }: AddedMessage,
): Promise<void> {
  const sentAt = message.mail.sentAt ?? change.now
  if (sentAt < row.created_at) return
  const thread = await findThread(change.tx, row.tenant_id, threadId)
  if (!thread || !isPersonsReply(message, thread)) return
  const atMs = Math.min(Date.parse(sentAt), Date.parse(change.now))
  await holdAfterReply(ports, change, inbox, thread, { by: mailboxOwner, atMs })
}

/**
 * Adds messages that a person sent from the mailbox; those sent by the service are recognized by Message-ID.
 */
async function addSent(
  context: ImportContext,
  change: ChangeContext,
  fresh: readonly Fresh[],
): Promise<string[]> {
  const { ports, row } = context
  const adder = await MessageAdder.load(
    change,
    fresh.map(({ message }) => message),
  )
  const ids: string[] = []
  const written: { message: NewMessage; added: AddedMessage }[] = []
  const recipients: { message_id: string; address: string }[] = []
  for (const { message } of fresh) {
    const before = adder.arrived(message)
    if (!before) await takeStorage(ports, change, storedBytesOf(message))
    const added = before ? null : adder.add(message, 'message.sent')
    const id = before ?? added!.id
    ids.push(id)
    if (!added) continue
    written.push({ message, added })
    recipients.push(...addressesOf(message).map((address) => ({ message_id: id, address })))
  }
  await adder.save()
  const rows = recipients.map((one) => ({
    tenant_id: row.tenant_id,
    ...one,
    status: 'sent',
    detail: null,
    reason: null,
    kind: null,
  }))
  if (rows.length > 0) await change.tx.insertInto('recipients').values(rows).execute()
  for (const { message, added } of written) await holdForSent(context, change, message, added)
  return ids
}

/** Returns the new messages of a batch, each once. */
async function freshOf({ row }: ImportContext, change: ChangeContext, prepared: readonly Prepared[]) {
  const known = await knownKeys(
    change.tx,
    row,
    prepared.flatMap(({ keys }) => keys),
  )
  return prepared.filter((one): one is Fresh => {
    const isKnown = one.keys.some((key) => known.has(key))
    for (const key of one.keys) known.add(key)
    return !isKnown && one.message !== null
  })
}

/** Returns the marks of messages: a sent one is filed, and a received one may be older than the connection. */
const marksOf = ({ role }: FolderRow, fresh: readonly Fresh[], ids: readonly string[]) =>
  ids.flatMap((messageId, i) => {
    if (role === 'sent') return [{ keys: [filedKey(messageId)], messageId }]
    return fresh[i]!.isOlder && messageId !== '' ? [{ keys: [olderKey(messageId)], messageId }] : []
  })

/** Stores the progress in a folder. */
export const save = (
  { ports, requireLease }: ImportContext,
  folder: FolderRow,
  changes: Partial<FolderRow>,
) =>
  ports.store.write(async (tx) => {
    await requireLease(tx)
    await saveFolder(tx, folder, changes)
  })

/**
 * Commits messages with their keys and the position after them. A crash loses none, and a message read twice,
 * here or at another node, is recognized by its keys.
 *
 * @param more Other changes to the folder.
 */
export async function commit(
  context: ImportContext,
  folder: FolderRow,
  { prepared, upTo }: Batch,
  more: Partial<FolderRow>,
): Promise<number> {
  const { ports, row } = context
  const changes: Partial<FolderRow> = { ...more, uid: upTo, ...(upTo > folder.uid && passed(folder, upTo)) }
  // After progress, the next failure is a new one.
  if (upTo > folder.uid) row.failures = 0
  if (prepared.length === 0) {
    const names = Object.keys(changes) as (keyof FolderRow)[]
    if (names.some((name) => changes[name] !== folder[name])) await save(context, folder, changes)
    Object.assign(folder, changes)
    return 0
  }
  const write = async (change: ChangeContext) => {
    await context.requireLease(change.tx)
    await inboxRowIn(
      change.tx,
      { tenantId: row.tenant_id, keyId: '', inboxId: null, scopes: [] },
      row.inbox_id,
    )
    const fresh = await freshOf(context, change, prepared)
    const add = folder.role === 'sent' ? addSent : addIncoming
    const ids = fresh.length > 0 ? await add(context, change, fresh) : []
    const mine = new Map(fresh.map((one, i) => [one as Prepared, ids[i] ?? '']))
    await noteKeys(change.tx, row, [
      ...prepared.map((one) => ({ keys: one.keys, messageId: mine.get(one) ?? '' })),
      ...marksOf(folder, fresh, ids),
    ])
    await saveFolder(change.tx, folder, changes)
    return fresh.length
  }
  const attributes = { 'restante.connection_id': row.id }
  const added = await traced('accept mail', { kind: 'consumer', attributes }, () => {
    const span = traceparent()
    for (const { message } of prepared) if (message) message.traceparent = span
    return changeAccount(ports, row.tenant_id, write)
  })
  Object.assign(folder, changes)
  return added
}

/** Restarts a folder whose UIDs were renumbered: ingested messages are recognized by their keys. */
export async function checkValidity(
  context: ImportContext,
  folder: FolderRow,
  uidValidity: string,
): Promise<void> {
  if (folder.uid_validity === uidValidity) return
  const changes = { uid_validity: uidValidity, uid: 0, obstacle: null, skipped: null }
  await save(context, folder, changes)
  Object.assign(folder, changes)
}
