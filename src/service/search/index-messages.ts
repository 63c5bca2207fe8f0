import type { Kysely, Transaction } from 'kysely'
import { now } from '../base/time'
import type { ChangeContext } from '../log/registry'
import { searchTopic } from '../messages/add-message'
import type { MessagePorts } from '../messages/ports'
import { bodyTextOf, selectVerbatim } from '../store/message-text'
import type { Database } from '../store/tables/schema'
import { fileTextsOf } from './file-texts'
import { documentsOf } from './segments/documents'
import { forgetDocuments } from './segments/forget'
import { holdAccount, lockIndex } from './segments/lock'
import { mergeSegments } from './segments/merging'
import { atOnce, inSlices, others, type Pause, withPauses } from './segments/pauses'
import { fanIn } from './segments/plan-merge'
import { purgeSegments } from './segments/purging'
import { insertBlocks, insertSegment } from './segments/rows'
import { type IndexedWords, wordsOf } from './segments/words'
import type { SemanticSearch } from './semantic/semantic-search'
import { forgetEmbeddings } from './semantic/vectors'
import type { IndexedTexts } from './terms/document-terms'

/** Messages indexed together. */
export const maxAtOnce = 32
/** Batches after which their segments are merged, since a search reads each segment. */
const takenPerMerge = 32
const maxBodyCharacters = 100_000

const indexedColumns = [
  'id',
  'inbox_id',
  'created_seq',
  'created_at',
  'seq',
  'direction',
  'from_addr',
  'from_name',
  'to_addrs',
  'cc_addrs',
  'bcc_addrs',
  'subject',
  'has_attachment',
  'body_text',
  'reply_text',
] as const

type Ports = Pick<MessagePorts, 'store' | 'clock'>
/** Ports of indexing one message again. */
export type ReindexPorts = Ports

/** Ports of indexing, which requests embedding afterwards. */
export interface IndexPorts extends Pick<MessagePorts, 'store' | 'clock' | 'signals' | 'logger'> {
  readonly semantics: SemanticSearch
}

interface IndexedMessage {
  readonly seq: number
  /** Position of its last change. */
  readonly changedSeq: number
  readonly createdAt: string
  readonly inboxId: string
  readonly texts: IndexedTexts
}

/** Messages after a log position, oldest first, or those up to one, newest first. */
type Range = { after: number } | { upTo: number }

/** Returns some messages of a range, in log order. */
async function messagesIn(
  db: Kysely<Database>,
  tenantId: string,
  range: Range,
  limit = maxAtOnce,
): Promise<IndexedMessage[]> {
  const isAfter = 'after' in range
  const found = await db
    .selectFrom('messages')
    .select(indexedColumns)
    .select(selectVerbatim)
    .where('tenant_id', '=', tenantId)
    .where('created_seq', isAfter ? '>' : '<=', isAfter ? range.after : range.upTo)
    .orderBy('created_seq', isAfter ? 'asc' : 'desc')
    .limit(limit)
    .execute()
  const rows = isAfter ? found : found.reverse()
  if (rows.length === 0) return []
  const files = await db
    .selectFrom('attachments')
    .select(['message_id', 'filename'])
    .where('tenant_id', '=', tenantId)
    .where('parent_id', 'is', null)
    .where(
      'message_id',
      'in',
      rows.map((row) => row.id),
    )
    .execute()
  const attached = await fileTextsOf(
    db,
    tenantId,
    rows.map((row) => row.id),
  )
  return rows.map((row) => {
    const names = files.filter((file) => file.message_id === row.id).map((file) => file.filename ?? '')
    const recipients = [row.to_addrs, row.cc_addrs, row.bcc_addrs].flatMap(
      (json) => JSON.parse(json) as string[],
    )
    const texts: IndexedTexts = {
      attached: attached.get(row.id) ?? [],
      subject: row.subject,
      sender: `${row.from_name ?? ''} ${row.from_addr}`,
      recipients: recipients.join('\n'),
      files: names.join('\n'),
      body: bodyTextOf(row).slice(0, maxBodyCharacters),
      senders: [row.from_addr],
      addressees: recipients,
      direction: row.direction,
      hasAttachment: row.has_attachment === 1,
      // A reply is a part of the body.
      reply: row.reply_text?.slice(0, maxBodyCharacters) ?? null,
    }
    const { created_seq: seq, seq: changedSeq, created_at: createdAt, inbox_id: inboxId } = row
    return { seq, changedSeq, createdAt, inboxId, texts }
  })
}

async function addSegment(
  ports: Ports,
  tx: Transaction<Database>,
  tenantId: string,
  messages: readonly IndexedMessage[],
  { lengths, blocks }: IndexedWords,
): Promise<void> {
  if (messages.length === 0) return
  const documents = documentsOf(
    messages.map(({ seq, inboxId }, i) => ({ seq, inboxId, length: lengths[i]! })),
  )
  const id = await insertSegment(tx, tenantId, ports.clock.now(), documents, 'live')
  await insertBlocks(tx, tenantId, id, blocks)
}

/** Stores the index position of an account, and counts a segment if messages were added. */
async function moveCursor(
  tx: Transaction<Database>,
  tenantId: string,
  seq: number,
  messages: number,
): Promise<void> {
  await tx
    .updateTable('search_cursors')
    .set((eb) => ({ seq, unmerged: eb('unmerged', '+', Math.min(1, messages)) }))
    .where('tenant_id', '=', tenantId)
    .execute()
}

/** Reindexes a message whose text has changed; one not yet indexed gets the new text then. */
export async function reindexMessage(
  ports: Ports,
  tx: Transaction<Database>,
  tenantId: string,
  createdSeq: number,
): Promise<void> {
  const reached = await lockIndex(tx, tenantId)
  if (createdSeq > reached) return
  const messages = await messagesIn(tx, tenantId, { after: createdSeq - 1 }, 1)
  const words = atOnce(wordsOf(messages.map(({ texts }) => texts)))
  await replaceWords(ports, tx, tenantId, messages, words)
  await moveCursor(tx, tenantId, reached, messages.length)
}

/** Replaces the words of indexed messages. */
async function replaceWords(
  ports: Ports,
  tx: Transaction<Database>,
  tenantId: string,
  messages: readonly IndexedMessage[],
  words: IndexedWords,
): Promise<void> {
  const seqs = messages.map(({ seq }) => seq)
  await forgetDocuments({ tx, tenantId, now: now(ports) }, seqs)
  await addSegment(ports, tx, tenantId, messages, words)
}

/**
 * Indexes a message again whose files were read; one not yet indexed gets their words then. It is tokenized
 * before the transaction, and again if it has changed meanwhile.
 *
 * @param finish ends the job in the same transaction; false if another one took it
 */
export async function reindexWhole(
  ports: Ports,
  tenantId: string,
  messageId: string,
  finish: (tx: Transaction<Database>) => Promise<boolean>,
): Promise<void> {
  const { db, write } = ports.store
  for (let isDone = false; !isDone; ) {
    const query = db.selectFrom('messages').select('created_seq').where('tenant_id', '=', tenantId)
    const createdSeq = (await query.where('id', '=', messageId).executeTakeFirst())?.created_seq
    // None if it was erased meanwhile.
    const found = createdSeq === undefined ? [] : await messagesIn(db, tenantId, { after: createdSeq - 1 }, 1)
    const messages = found.filter(({ seq }) => seq === createdSeq)
    const words = await splitHere(
      messages.map(({ texts }) => texts),
      inSlices(others),
    )
    isDone = await write(async (tx) => {
      if (!words || (await holdAccount(ports, tx, tenantId)) === undefined) return true
      const reached = await lockIndex(tx, tenantId)
      const today = await changesAfter(tx, tenantId, (createdSeq ?? 0) - 1)
      if (!isUnchanged(messages, today)) return false
      if (!(await finish(tx)) || messages.length === 0 || createdSeq! > reached) return true
      await replaceWords(ports, tx, tenantId, messages, words)
      await moveCursor(tx, tenantId, reached, messages.length)
      return true
    })
  }
}

/** Selects the messages after a log position, each with its last change. */
const changesAfter = (tx: Transaction<Database>, tenantId: string, after: number) =>
  tx
    .selectFrom('messages')
    .select(['created_seq', 'seq'])
    .where('tenant_id', '=', tenantId)
    .where('created_seq', '>', after)
    .orderBy('created_seq')
    .limit(maxAtOnce)
    .execute()

const isUnchanged = (
  messages: readonly IndexedMessage[],
  today: Awaited<ReturnType<typeof changesAfter>>,
): boolean =>
  messages.every((message, i) => today[i]?.created_seq === message.seq && today[i].seq === message.changedSeq)

/** Tokenizes messages, of which the oldest has waited `waitedMs`; null if it was ended. */
export type SplitWords = (
  messages: readonly IndexedTexts[],
  pause: Pause,
  waitedMs: number,
) => Promise<IndexedWords | null>

/** Tokenizes messages in this thread, with pauses. */
export const splitHere = (messages: readonly IndexedTexts[], pause: Pause) =>
  withPauses(wordsOf(messages), pause)

/**
 * Indexes the next messages of an account. Returns false if they were the last ones, or it was ended. They
 * are tokenized before the transaction, so that nobody waits for that, and again if they have changed
 * meanwhile.
 */
async function indexSome(
  ports: IndexPorts,
  tenantId: string,
  pause: Pause,
  splitWords: SplitWords,
): Promise<boolean> {
  const { db, write } = ports.store
  const cursor = db.selectFrom('search_cursors').select('seq').where('tenant_id', '=', tenantId)
  const seq = (await cursor.executeTakeFirst())?.seq ?? 0
  const messages = await messagesIn(db, tenantId, { after: seq })
  const waitedMs = messages[0] ? ports.clock.now() - Date.parse(messages[0].createdAt) : 0
  const words = await splitWords(
    messages.map(({ texts }) => texts),
    pause,
    waitedMs,
  )
  if (!words) return false
  return write(async (tx) => {
    const head = await holdAccount(ports, tx, tenantId)
    if (head === undefined) return false
    if ((await lockIndex(tx, tenantId)) !== seq) return true
    const today = await changesAfter(tx, tenantId, seq)
    if (!isUnchanged(messages, today)) return true
    await addSegment(ports, tx, tenantId, messages, words)
    if (messages.length > 0) await ports.semantics.request(tx, tenantId)
    const isLast = today.length === messages.length && messages.length < maxAtOnce
    const reached = Math.max(seq, messages.at(-1)?.seq ?? 0, isLast ? head : 0)
    await moveCursor(tx, tenantId, reached, messages.length)
    return !isLast
  })
}

/**
 * Indexes the newest outdated messages of an account again. Searches find them all the time: their former
 * words are replaced in the same transaction. Returns false if none are left, or it was ended.
 */
export async function reindexSome(
  ports: Ports,
  tenantId: string,
  pause: Pause,
  splitWords: SplitWords,
): Promise<boolean> {
  const { db, write } = ports.store
  const cursor = db.selectFrom('search_cursors').select('outdated').where('tenant_id', '=', tenantId)
  const outdated = (await cursor.executeTakeFirst())?.outdated ?? 0
  if (outdated === 0) return false
  const messages = await messagesIn(db, tenantId, { upTo: outdated })
  const words = await splitWords(
    messages.map(({ texts }) => texts),
    pause,
    0,
  )
  if (!words) return false
  const next = messages.length < maxAtOnce ? 0 : messages[0]!.seq - 1
  return write(async (tx) => {
    if ((await holdAccount(ports, tx, tenantId)) === undefined) return false
    const reached = await lockIndex(tx, tenantId)
    const today = await changesAfter(tx, tenantId, (messages[0]?.seq ?? 1) - 1)
    if (!isUnchanged(messages, today)) return true
    await replaceWords(ports, tx, tenantId, messages, words)
    await moveCursor(tx, tenantId, reached, messages.length)
    const moved = await tx
      .updateTable('search_cursors')
      .set({ outdated: next })
      .where('tenant_id', '=', tenantId)
      .where('outdated', '=', outdated)
      .executeTakeFirst()
    return moved.numUpdatedRows === 0n || next > 0
  })
}

/** Marks all indexed messages of an account to be indexed again. */
export async function requestReindexing(tx: Transaction<Database>, tenantId: string): Promise<void> {
  await tx
    .updateTable('search_cursors')
    .set((eb) => ({ outdated: eb.ref('seq') }))
    .where('tenant_id', '=', tenantId)
    .execute()
}

/** Counts the messages of an account that are to be indexed again. */
export async function countOutdated(db: Kysely<Database>, tenantId: string): Promise<number> {
  const row = await db
    .selectFrom('messages')
    .innerJoin('search_cursors', 'search_cursors.tenant_id', 'messages.tenant_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('messages.tenant_id', '=', tenantId)
    .whereRef('messages.created_seq', '<=', 'search_cursors.outdated')
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Returns accounts with outdated messages. */
export async function accountsToReindex(ports: Ports, limit: number): Promise<string[]> {
  const select = ports.store.db.selectFrom('search_cursors').select('tenant_id').where('outdated', '>', 0)
  return (await select.limit(limit).execute()).map((row) => row.tenant_id)
}

/** Checks whether the log of an account has grown since its messages were indexed. */
async function hasGrown(ports: Ports, tenantId: string): Promise<boolean> {
  const { db } = ports.store
  const account = db.selectFrom('accounts').select('seq').where('tenant_id', '=', tenantId)
  const cursor = db.selectFrom('search_cursors').select('seq').where('tenant_id', '=', tenantId)
  const [head, reached] = [await account.executeTakeFirst(), await cursor.executeTakeFirst()]
  return head?.seq !== reached?.seq
}

/**
 * Indexes all new messages of an account, with pauses for other work; a pause that returns false ends it.
 * Returns false if there were none.
 */
export async function indexMessages(
  ports: IndexPorts,
  tenantId: string,
  pause = inSlices(others),
  splitWords: SplitWords = splitHere,
): Promise<boolean> {
  if (!(await hasGrown(ports, tenantId))) return false
  for (let taken = 1; (await indexSome(ports, tenantId, pause, splitWords)) && (await pause()); taken++)
    if (taken % takenPerMerge === 0 && !(await mergeSegments(ports, tenantId, pause))) break
  return true
}

/** Merges the index of an account, and removes erased messages from it. */
export async function tidyUp(ports: Ports, tenantId: string, pause: Pause): Promise<void> {
  if (await mergeSegments(ports, tenantId, pause)) await purgeSegments(ports, tenantId, pause)
}

/** An account whose index needs work. */
interface IndexedAccount {
  readonly tenantId: string
  /** True if segments must be merged: searches indexed messages, or texts have changed. */
  readonly isScattered: boolean
}

/** Returns accounts whose log has grown since indexing, or whose segments must be merged. */
export async function accountsToIndex(ports: Ports, limit: number): Promise<IndexedAccount[]> {
  const rows = await ports.store.db
    .selectFrom('accounts')
    .leftJoin('search_cursors', 'search_cursors.tenant_id', 'accounts.tenant_id')
    .select(['accounts.tenant_id', 'search_cursors.unmerged'])
    .where((or) =>
      or.or([
        or('search_cursors.seq', 'is', null),
        or('accounts.seq', '>', or.ref('search_cursors.seq')),
        or('search_cursors.unmerged', '>=', fanIn),
      ]),
    )
    .limit(limit)
    .execute()
  return rows.map(({ tenant_id, unmerged }) => ({
    tenantId: tenant_id,
    isScattered: unmerged !== null && unmerged >= fanIn,
  }))
}

/** Returns accounts whose index has something to remove. */
export async function accountsToTidy(ports: Ports): Promise<string[]> {
  const rows = await ports.store.db
    .selectFrom('search_segments')
    .select('tenant_id')
    .distinct()
    .where('gone_at', 'is not', null)
    .execute()
  return rows.map((row) => row.tenant_id)
}

/** Removes messages that are being erased from the index; their words are removed within the hour. */
export async function forgetMessages(change: ChangeContext, createdSeqs: readonly number[]): Promise<void> {
  const { tx, account, now } = change
  await forgetDocuments({ tx, now, tenantId: account.tenant_id }, createdSeqs)
  await forgetEmbeddings(tx, account.tenant_id, createdSeqs)
  change.wake(searchTopic)
}
