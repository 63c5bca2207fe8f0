import type { ParsedMail } from '../../mail/parsed-mail'
import { eraseAttachments } from '../extraction/kept-texts'
import { requestTexts } from '../extraction/text-job'
import { findAccountId } from '../inbound/recipient-check'
import { treatmentOf } from '../inbound/treated-senders'
import { hasInbox, hasThread } from '../inboxes/inboxes'
import { changeAccount } from '../log/change'
import type { LogPorts } from '../log/ports'
import { attachmentRows, contentColumns, programColumns } from '../messages/add-message'
import { labelNamesOf } from '../messages/label-names'
import { readStored } from '../messages/originals'
import type { MessagePorts } from '../messages/ports'
import { messageColumns, summaryRecord } from '../messages/records'
import { saveThread } from '../messages/thread-refresh'
import { sentIdsNamedBy, unanswerableOf } from '../messages/unanswerable'
import { reindexMessage } from '../search/index-messages'

/** Ports for parsing stored messages again. */
export type ReparsePorts = LogPorts & Pick<MessagePorts, 'blobs' | 'parser'>

/** Numbers of messages that were parsed again, and of those that still fail. */
export interface Reparsed {
  read: number
  unread: number
}

/** Messages on one page; of the failed ones, one at a time is in memory. */
const pageRows = 500

const failedReading = (flaws: readonly string[]) =>
  flaws.some((flaw) => /^parser-(crashed|timeout|closed)$/.test(flaw))

/** Returns true if only the header was parsed. */
const isUnread = ({ flaws }: ParsedMail) =>
  failedReading(flaws) || flaws.some((flaw) => /^(unparsable|too-large|too-many-lines)$/.test(flaw))

async function readAgain(ports: ReparsePorts, tenantId: string, id: string): Promise<ParsedMail | null> {
  const row = await ports.store.db
    .selectFrom('messages')
    .select(['raw', 'blob_hash', 'direction', 'mail_from'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  const raw = row && (await readStored(ports, row))
  if (!raw) return null
  const mail = await ports.parser.parse(raw, row.direction === 'inbound' ? row.mail_from : undefined)
  return isUnread(mail) ? null : mail
}

/**
 * Stores the parsed content of a message and logs an event; its place in lists and for consumers stays.
 * Returns false if the message was deleted, or parsed meanwhile.
 */
const save = (ports: ReparsePorts, tenantId: string, id: string, read: ParsedMail): Promise<boolean> =>
  changeAccount(ports, tenantId, async (change) => {
    const { tx } = change
    const row = await tx
      .selectFrom('messages')
      .select([...messageColumns, 'raw'])
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .where(hasInbox('messages'))
      .where(hasThread)
      .executeTakeFirst()
    if (!row || !failedReading(JSON.parse(row.flaws))) return false
    const treat = await treatmentOf(change, [row.inbox_id])
    const mail = row.direction === 'inbound' ? treat(row.inbox_id, read, row.mail_from) : read
    const sentIds = await sentIdsNamedBy(tx, tenantId, [row.inbox_id], [mail])
    const unanswerable = unanswerableOf(mail, row.mail_from, row.unanswerable === 'own_address', sentIds)
    const content = {
      ...contentColumns(mail, row),
      ...programColumns(mail, row.mail_from, row.direction),
      unanswerable,
      flaws: JSON.stringify(mail.flaws),
    }
    const thread = await tx
      .selectFrom('threads')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('id', '=', row.thread_id)
      .executeTakeFirstOrThrow()
    if (thread.last_message_id === id) await saveThread(change, { ...thread, preview: mail.preview })
    const attachments = attachmentRows(row, mail, Date.parse(change.now))
    const labels = await labelNamesOf(tx, tenantId, [row])
    const record = summaryRecord(
      { ...row, ...content, reply_text: mail.replyText },
      attachments,
      labels,
      true,
    )
    const seq = change.append('message.updated', row.inbox_id, record)
    await eraseAttachments(change, [id])
    if (attachments.length > 0) await tx.insertInto('attachments').values(attachments).execute()
    await tx
      .updateTable('messages')
      .set({ ...content, seq })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .execute()
    const isSpam = (JSON.parse(row.label_ids) as string[]).includes('spam')
    if (row.direction === 'inbound' && attachments.length > 0 && !isSpam)
      await requestTexts(ports, change, [id])
    await reindexMessage(ports, tx, tenantId, row.created_seq)
    return true
  })

/** Called with the progress: `seen` counts all messages. */
export type OnReparsed = (progress: Reparsed & { seen: number }) => void

async function reparseAccount(
  ports: ReparsePorts,
  tenantId: string,
  counts: Reparsed & { seen: number },
  onProgress: OnReparsed,
): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await ports.store.db
      .selectFrom('messages')
      .select(['id', 'created_seq', 'flaws'])
      .where('tenant_id', '=', tenantId)
      .where('created_seq', '>', after)
      .orderBy('created_seq')
      .limit(pageRows)
      .execute()
    for (const { id } of rows.filter(({ flaws }) => failedReading(JSON.parse(flaws)))) {
      const mail = await readAgain(ports, tenantId, id)
      if (!mail) counts.unread += 1
      else if (await save(ports, tenantId, id, mail)) counts.read += 1
      onProgress({ ...counts })
    }
    counts.seen += rows.length
    onProgress({ ...counts })
    if (rows.length < pageRows) return
    after = rows.at(-1)!.created_seq
  }
}

/**
 * Parses stored messages again whose first parsing failed, of one account or of all. Bounces among them
 * change no delivery status any more.
 *
 * @throws ServiceError `account_not_found`; an error with code `PARSER_UNAVAILABLE` if no thread starts
 */
export async function reparse(
  ports: ReparsePorts,
  account?: string,
  onProgress: OnReparsed = () => {},
): Promise<Reparsed> {
  const counts = { read: 0, unread: 0, seen: 0 }
  const accounts =
    account === undefined
      ? await ports.store.db.selectFrom('accounts').select('tenant_id').execute()
      : [{ tenant_id: await findAccountId(ports, account) }]
  for (const { tenant_id } of accounts) await reparseAccount(ports, tenant_id, counts, onProgress)
  return { read: counts.read, unread: counts.unread }
}
