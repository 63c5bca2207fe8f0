import { forwardSubject } from '../../mail/headers/subject'
import type { Scope } from '../accounts/keys'
import { inboxRow } from '../inboxes/inboxes'
import { messageRow } from '../messages/messages'
import type { OutboundPorts } from './delivery/ports'
import { type Content, submit } from './send'
import { forwardedContent } from './submit/forwarded'
import { readRecipients } from './submit/recipients'
import { idempotencyKeyOf, type SendAnswer } from './submit/sends'

interface ForwardRequest extends Content {
  id: string
  to: string[]
  cc: string[]
  bcc: string[]
}

/**
 * Forwards a message with its attachments, below the written text. It starts a new conversation: its
 * recipients are not part of the other one.
 *
 * @throws ServiceError `no_recipients`, `not_found`, `message_too_large`, and those of sending a message
 */
export async function forwardMessage(
  ports: OutboundPorts,
  scope: Scope,
  request: ForwardRequest,
): Promise<SendAnswer> {
  return submit(ports, scope, request, idempotencyKeyOf('forward', request, scope), async () => {
    const row = await messageRow(ports, scope, request.id)
    return {
      inbox: await inboxRow(ports, scope, row.inbox_id),
      recipients: readRecipients(request),
      subject: forwardSubject(row.subject),
      forwardedId: row.id,
      write: (content) => forwardedContent(ports, content, row),
    }
  })
}
