import { type ComposeAttachment, type ForwardedMail, forwardHtml, forwardText } from '../../mail'
import { formatAddress, forwardSubject } from '../../mail/headers'
import type { Scope } from '../accounts'
import { refuse } from '../base'
import { inboxRow } from '../inboxes'
import { type AttachmentRow, attachmentsOf, type MessageRow, messageRow, readOriginal } from '../messages'
import type { OutboundPorts } from './delivery'
import { type Content, submit } from './send'
import { idempotencyKeyOf, readRecipients, type SendAnswer } from './submit'

interface ForwardRequest extends Content {
  id: string
  to: string[]
  cc: string[]
  bcc: string[]
}

const forwardedMail = (row: MessageRow): ForwardedMail => ({
  from: formatAddress({ address: row.from_addr, name: row.from_name }),
  to: JSON.parse(row.to_addrs),
  cc: JSON.parse(row.cc_addrs),
  subject: row.subject,
  date: row.sent_at ?? row.received_at,
  text: row.body_text,
  html: row.body_html,
})

/** Reads the attachments of a message out of its original; one that cannot be read is an error, never left out. */
async function filesOf(ports: OutboundPorts, row: MessageRow): Promise<ComposeAttachment[]> {
  const found = await attachmentsOf(ports.store.db, row.tenant_id, [row.id])
  const attachments = found.get(row.id) ?? []
  if (attachments.length === 0) return []
  const raw = await readOriginal(ports, row.tenant_id, row.id)
  const positions = attachments.map(({ position }) => position)
  const read = await ports.parser.attachments(raw, positions)
  const open = ({ id, filename, content_type, content_id }: AttachmentRow, index: number) => {
    const file = read[index]
    if (!file) throw refuse('internal_error', `The attachment ${id} can no longer be read.`)
    return {
      filename: filename ?? 'attachment',
      contentType: content_type,
      content: file.content,
      ...(content_id !== null && { contentId: content_id }),
    }
  }
  return attachments.map(open)
}

/**
 * Passes a message on with its attachments, under what is written on top. It begins a conversation of its own: who
 * gets it has no part in the other one.
 *
 * @throws ServiceError `no_recipients`, `not_found`, `message_too_large`, and those of sending a message
 */
export async function forwardMessage(
  ports: OutboundPorts,
  scope: Scope,
  request: ForwardRequest,
): Promise<SendAnswer> {
  return submit(
    ports,
    scope,
    request,
    idempotencyKeyOf('forward', request, scope),
    async ({ text, html }) => {
      const row = await messageRow(ports, scope, request.id)
      const mail = forwardedMail(row)
      const hasHtml = html !== undefined || mail.html !== null
      return {
        inbox: await inboxRow(ports, scope, row.inbox_id),
        recipients: readRecipients(request),
        subject: forwardSubject(row.subject),
        written: {
          text: text === undefined && html !== undefined ? undefined : forwardText(text, mail),
          html: hasHtml
            ? forwardHtml({ ...(text !== undefined && { text }), ...(html !== undefined && { html }) }, mail)
            : undefined,
          files: await filesOf(ports, row),
        },
      }
    },
  )
}
