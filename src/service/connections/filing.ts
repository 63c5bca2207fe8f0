import { readOriginal } from '../messages/originals'
import type { ImportContext } from './import-messages'
import { filedKey, knownKeys, saveKeys } from './keys'
import { type FolderRow, filesCopies, settingsOf } from './records'

const perLook = 100
const underWay = new Set(['queued', 'sending', 'deferred'])

interface SentRow {
  id: string
  rfc822_message_id: string | null
  in_reply_to: string | null
  created_seq: number
  created_at: string
  delivery_status: string
}

const sentAfter = ({ ports, row }: ImportContext, seq: number): Promise<SentRow[]> =>
  ports.store.db
    .selectFrom('messages')
    .select(['id', 'rfc822_message_id', 'in_reply_to', 'created_seq', 'created_at', 'delivery_status'])
    .where('tenant_id', '=', row.tenant_id)
    .where('inbox_id', '=', row.inbox_id)
    .where('direction', '=', 'outbound')
    .where('created_seq', '>', seq)
    .orderBy('created_seq')
    .limit(perLook)
    .execute()

/** Files a copy of a message if the server has none; a copy filed before a crash is found again. */
async function fileCopy(
  { ports, row, source }: ImportContext,
  sent: FolderRow,
  message: SentRow,
): Promise<void> {
  const messageId = message.rfc822_message_id
  if (messageId === null || (await source.find(sent.path, messageId)).length > 0) return
  const raw = await readOriginal(ports, row.tenant_id, message.id)
  await source.append(sent.path, raw, ['\\Seen'], new Date(message.created_at))
}

/** Sets the flags on the message that was answered. */
async function markAnswered(context: ImportContext, folders: readonly FolderRow[], answered: string) {
  const { mark_answered, keyword } = settingsOf(context.row)
  const flags = [...(mark_answered ? ['\\Answered'] : []), ...(keyword === undefined ? [] : [keyword])]
  if (flags.length === 0) return
  for (const { path, role } of folders) {
    if (role === 'sent') continue
    const uids = await context.source.find(path, answered)
    if (uids.length > 0) await context.source.flag(path, uids, flags)
  }
}

async function filePage(
  context: ImportContext,
  folders: readonly FolderRow[],
  rows: readonly SentRow[],
): Promise<void> {
  if (rows.length === 0) return
  const { ports, row } = context
  const settings = settingsOf(row)
  const sent = folders.find(({ role }) => role === 'sent')
  const filed = await knownKeys(
    ports.store.db,
    row,
    rows.map(({ id }) => filedKey(id)),
  )
  for (const message of rows) {
    if (underWay.has(message.delivery_status) || filed.has(filedKey(message.id))) continue
    const isSent = message.delivery_status !== 'rejected'
    if (isSent && sent && filesCopies(settings)) await fileCopy(context, sent, message)
    if (isSent && message.in_reply_to !== null) await markAnswered(context, folders, message.in_reply_to)
    await saveKeys(ports, row, [{ keys: [filedKey(message.id)], messageId: message.id }])
  }
}

/**
 * Files copies of newly sent messages, and flags the messages that they answer. The position moves only past
 * a gapless run of filed messages, so messages still being sent are checked again.
 */
export async function fileSent(context: ImportContext, folders: readonly FolderRow[]): Promise<void> {
  const { ports, row } = context
  let filed_seq = row.filed_seq
  let hasOpen = false
  let after = row.filed_seq
  for (let isLast = false; !isLast; ) {
    const rows = await sentAfter(context, after)
    isLast = rows.length < perLook
    after = rows.at(-1)?.created_seq ?? after
    await filePage(context, folders, rows)
    const open = rows.findIndex(({ delivery_status }) => underWay.has(delivery_status))
    const done = open < 0 ? rows : rows.slice(0, open)
    if (!hasOpen) filed_seq = done.at(-1)?.created_seq ?? filed_seq
    hasOpen ||= open >= 0
  }
  if (filed_seq === row.filed_seq) return
  row.filed_seq = filed_seq
  await ports.store.write(async (tx) => {
    await context.requireLease(tx)
    await tx
      .updateTable('connections')
      .set({ filed_seq })
      .where('tenant_id', '=', row.tenant_id)
      .where('id', '=', row.id)
      .execute()
  })
}
