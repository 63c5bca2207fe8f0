import type { ComposeAttachment } from '../../../mail/compose'
import { type ForwardedMail, forwardHtml, forwardText } from '../../../mail/forward'
import { formatAddress } from '../../../mail/headers/address'
import { endingOfType } from '../../../mail/mime/file-type'
import type { WrittenContent } from '../../../mail/quote'
import { refuse } from '../../base/refuse'
import { attachmentsOf } from '../../messages/messages'
import { readOriginal } from '../../messages/originals'
import type { AttachmentRow, MessageRow } from '../../messages/records'
import type { OutboundPorts } from '../delivery/ports'

/** Content of a forward: the written text, the message below it, and its attachments. */
export interface ForwardedContent extends WrittenContent {
  files: ComposeAttachment[]
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

/** Reads the attachments of a message from its original; an unreadable one is an error, never omitted. */
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
      filename: filename ?? `attachment${endingOfType(content_type)}`,
      contentType: file.fullType,
      content: file.content,
      ...(content_id !== null && { contentId: content_id }),
    }
  }
  return attachments.map(open)
}

function bodiesOf({ text, html }: WrittenContent, mail: ForwardedMail): WrittenContent {
  const hasHtml = html !== undefined || mail.html !== null
  const written = { ...(text !== undefined && { text }), ...(html !== undefined && { html }) }
  return {
    text: text === undefined && html !== undefined ? undefined : forwardText(text, mail),
    html: hasHtml ? forwardHtml(written, mail) : undefined,
  }
}

/** Adds a message with its attachments below the written text. */
export async function forwardedContent(
  ports: OutboundPorts,
  written: WrittenContent,
  row: MessageRow,
): Promise<ForwardedContent> {
  return { ...bodiesOf(written, forwardedMail(row)), files: await filesOf(ports, row) }
}
