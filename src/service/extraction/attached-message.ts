import type { MailAddress } from '../../mail/headers/address'
import type { ParsedMail } from '../../mail/parsed-mail'
import type { AttachedMessage } from '../../protocol/attachments/attached-message'
import type { Caller } from '../accounts/keys'
import { notFound, refuse } from '../base/refuse'
import { changeAccount } from '../log/change'
import { attachmentRows } from '../messages/add-message'
import { attachmentRow, fileOf, parentsOf } from '../messages/attachments'
import type { MessagePorts } from '../messages/ports'
import { type AttachmentRow, attachmentRecord } from '../messages/records'

/** Levels of messages within messages that are opened. */
const maxLevels = 3

const addressesOf = (list: readonly MailAddress[]): string[] => list.map(({ address }) => address)

/** Returns whether a file is a message by its type, or by its name where the type says nothing. */
const isMessage = ({ content_type, filename }: AttachmentRow): boolean =>
  content_type === 'message/rfc822' ||
  content_type === 'message/global' ||
  (content_type === 'application/octet-stream' && /\.eml$/i.test(filename ?? ''))

/** Returns the rows of the files of an attached message. The first call stores them. */
async function filesOf(ports: MessagePorts, row: AttachmentRow, mail: ParsedMail): Promise<AttachmentRow[]> {
  if (mail.attachments.length === 0) return []
  return changeAccount(ports, row.tenant_id, async ({ tx, now }) => {
    const within = tx
      .selectFrom('attachments')
      .selectAll()
      .where('tenant_id', '=', row.tenant_id)
      .where('message_id', '=', row.message_id)
    const stored = await within.where('parent_id', '=', row.id).orderBy('position').execute()
    if (stored.length > 0) return stored
    // Its message may be erased meanwhile.
    if (!(await within.where('id', '=', row.id).executeTakeFirst())) throw notFound('attachment', row.id)
    const message = { tenant_id: row.tenant_id, id: row.message_id }
    const rows = attachmentRows(message, mail, Date.parse(now), row.id)
    await tx.insertInto('attachments').values(rows).execute()
    return rows
  })
}

/**
 * Opens a message that is attached. Nothing proves its fields, so it has no verdict on its sender, no codes
 * and no links.
 *
 * @throws ServiceError `not_found` if the attachment is no message, or lies deeper than three levels;
 *   `account_expired`
 */
export async function readAttachedMessage(
  ports: MessagePorts,
  scope: Caller,
  id: string,
): Promise<AttachedMessage> {
  const row = await attachmentRow(ports, scope, id)
  const parents = await parentsOf(ports, row)
  if (!isMessage(row) || parents.length >= maxLevels)
    throw refuse(
      'not_found',
      `The attachment ${id} is not opened as a message: GET /attachments/${id}/text has its text, if there is any.`,
    )
  const mail = await ports.parser.parse((await fileOf(ports, row)).content)
  const files = await filesOf(ports, row, mail)
  return {
    attachment_id: row.id,
    message_id: row.message_id,
    from_addr: mail.from?.address ?? null,
    from_name: mail.from?.name ?? null,
    to_addrs: addressesOf(mail.to),
    cc_addrs: addressesOf(mail.cc),
    reply_to: addressesOf(mail.replyTo),
    subject: mail.subject,
    sent_at: mail.sentAt,
    rfc822_message_id: mail.messageId,
    in_reply_to: mail.inReplyTo,
    references: mail.references,
    reply_text: mail.replyText,
    body_text: mail.text,
    body_html: mail.html,
    headers: mail.headers.map(({ name, value }) => ({ name, value })),
    authentication: null,
    attachments: files.map(attachmentRecord),
    flaws: mail.flaws,
  }
}
