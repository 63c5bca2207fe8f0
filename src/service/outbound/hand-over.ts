import { isServiceError } from '../../protocol/errors/error'
import type { HandOverBody, Thread } from '../../protocol/records/thread'
import { requireManaging } from '../accounts/account'
import type { InboxRow } from '../accounts/account-inboxes'
import type { Scope } from '../accounts/keys'
import { refuse } from '../base/refuse'
import { administrator } from '../base/sender'
import { returnUntried } from '../consumers/holds'
import { inboxRow } from '../inboxes/inboxes'
import { changeAccount } from '../log/change'
import { messageRow, messageRowIn } from '../messages/messages'
import { holdOf, type ThreadRow } from '../messages/records'
import { threadAnswer, threadRowIn } from '../messages/threads'
import { holdForPeople } from '../takeover/holds'
import type { OutboundPorts } from './delivery/ports'
import { replyToMessage } from './send'
import { senderIn } from './submit/sends'

type HandOver = HandOverBody & { id: string }

/** Requires that an operator prepared a text, before anything is done. */
function requireText({ id, handover_text }: InboxRow): void {
  if (handover_text !== null) return
  throw refuse(
    'invalid_request',
    `Nobody prepared a text for the inbox ${id}: leave out send_prepared_text, or set handover_text (PATCH /inboxes/${id}).`,
    [{ field: 'send_prepared_text' }],
  )
}

/** Sends the prepared text of an inbox; null if it was sent in this hold before, or a reply is refused. */
async function sendPrepared(
  ports: OutboundPorts,
  scope: Scope,
  { id, consumer }: HandOver,
  thread: ThreadRow,
  { handover_text }: InboxRow,
): Promise<string | null> {
  const { since, text_sent } = holdOf(thread)!
  if (text_sent) return null
  try {
    const { id: sentId } = await replyToMessage(ports, scope, {
      ...{ id, consumer, text: handover_text!, isPrepared: true },
      ...{ client_id: `handover:${thread.id}:${since}`, replay: 'first_wins', release_on_discard: false },
      ...{ reply_all: false, cc: [], bcc: [], allow_auto_reply: false },
    })
    return sentId
  } catch (error) {
    if (isServiceError(error) && error.status < 500) return null
    throw error
  }
}

/**
 * Hands the thread of a message over to people: holds it, and ends the lease of the message without an
 * attempt.
 *
 * @throws ServiceError `not_found`, `claim_required`; `invalid_request` without a prepared text
 */
export async function handOver(
  ports: OutboundPorts,
  scope: Scope,
  request: HandOver,
): Promise<Thread & { prepared_message_id: string | null }> {
  const { id, consumer, lease, reason, send_prepared_text: sendsText } = request
  const by = senderIn(scope, consumer) ?? administrator
  const { inbox_id } = await messageRow(ports, scope, id)
  const inbox = await inboxRow(ports, scope, inbox_id)
  if (sendsText) requireText(inbox)
  const held = await changeAccount(ports, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    const message = await messageRowIn(change.tx, scope, id)
    const thread = await threadRowIn(change.tx, scope, message.thread_id)
    const after = await holdForPeople(ports, scope, change, thread, { by, reason })
    if (consumer !== undefined && lease !== undefined) await returnUntried(change, consumer, lease)
    return after
  })
  const prepared_message_id = sendsText ? await sendPrepared(ports, scope, request, held, inbox) : null
  const now = await threadRowIn(ports.store.db, scope, held.id)
  return { ...(await threadAnswer(ports.store.db, scope, now)), prepared_message_id }
}
