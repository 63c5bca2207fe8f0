import type { MailAddress } from '../../mail/headers/address'
import type { AttachedMessage } from '../../protocol/attachments/attached-message'
import type { Caller } from '../accounts/keys'
import { refuse } from '../base/refuse'
import { attachmentRow, fileOf, hintsOf, parentsOf } from '../messages/attachments'
import type { ExtractionPorts } from '../messages/ports'
import { attachmentRecord } from '../messages/records'
import { textRemedies } from '../messages/text-remedies'
import type { OpenedMail } from '../ports'
import { filesWithin, maxLevels } from './files-within'

const addressesOf = (list: readonly MailAddress[]): string[] => list.map(({ address }) => address)

const notOpened = (id: string, status: Exclude<OpenedMail['status'], 'ready'>) =>
  refuse(
    'not_found',
    status === 'unsupported'
      ? `The attachment ${id} is not opened as a message: GET /attachments/${id}/text has its text, if there is any.`
      : `The attachment ${id} cannot be opened. ${textRemedies[status]}`,
  )

/**
 * Opens a message that is attached. Nothing proves its fields, so it has no verdict on its sender, no codes
 * and no links.
 *
 * @throws ServiceError `not_found` if the attachment is no message, or lies deeper than three levels;
 *   `account_expired`
 */
export async function readAttachedMessage(
  ports: ExtractionPorts,
  scope: Caller,
  id: string,
): Promise<AttachedMessage> {
  const row = await attachmentRow(ports, scope, id)
  const isOpened = (await parentsOf(ports, row)).length < maxLevels
  const found: OpenedMail = isOpened
    ? await ports.extractor.open((await fileOf(ports, row)).content, hintsOf(row))
    : { status: 'unsupported' }
  if (found.status !== 'ready') throw notOpened(id, found.status)
  const { mail } = found
  const files = await filesWithin(ports, row, mail.attachments)
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
