import { forwardSubject } from '../../mail/headers'
import type { Scope } from '../accounts'
import { inboxRow } from '../inboxes'
import { messageRow } from '../messages'
import type { OutboundPorts } from './delivery'
import { type Content, submit } from './send'
import { forwardedContent, idempotencyKeyOf, readRecipients, type SendAnswer } from './submit'

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
