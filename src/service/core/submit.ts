import { parseAddress } from '../../mail/address'
import { replySubject } from '../../mail/subject'
import type { CustomHeaders } from '../../protocol/custom-headers'
import type { AttachmentInput } from '../../protocol/message'
import { accountRow, requireSending } from './account'
import { openFiles } from './attached-files'
import { type Core, now } from './context'
import { inboxRow } from './inboxes'
import type { Scope } from './keys'
import { requireAnswerable } from './loop-guard'
import { messageRow } from './messages'
import { commitSend, composeOutgoing, type Outgoing, type OutgoingContent } from './outgoing'
import { quotedContent } from './quoted'
import { ownAddresses, readRecipients, replyRecipients } from './recipients'
import type { InboxRow } from './records'
import { refuse } from './refuse'
import { schedule } from './schedule'
import { claimOf, findReplay, type Replayable, type SendAnswer, type SendClaim } from './sends'

/** What is written in a mail, whatever kind of send it is. */
export interface Content extends Replayable {
  text?: string | undefined
  html?: string | undefined
  attachments?: readonly AttachmentInput[] | undefined
  headers?: CustomHeaders | undefined
  scheduled_at?: string | undefined
}

export interface SendRequest extends Content {
  inbox_id?: string | undefined
  to: string[]
  cc: string[]
  bcc: string[]
  subject: string
}

export interface ReplyRequest extends Content {
  id: string
  reply_all: boolean
  quote?: boolean | undefined
  cc: string[]
  bcc: string[]
  expect_last_message_id?: string | undefined
  allow_auto_reply: boolean
}

/** Looks for an earlier send first of all, so that a replay answers whatever has changed since. */
export async function submit(
  core: Core,
  scope: Scope,
  content: Content,
  claim: SendClaim | null,
  prepare: () => Promise<Outgoing & { written?: OutgoingContent }>,
): Promise<SendAnswer> {
  const replayed = claim && (await findReplay(core.store.db, scope.tenantId, claim))
  if (replayed) return replayed
  requireSending(await accountRow(core, scope.tenantId), now(core))
  const { written, ...outgoing } = await prepare()
  const files = await openFiles(core, scope, content.attachments ?? [])
  if (content.scheduled_at !== undefined)
    return schedule(core, scope, outgoing, { ...content, ...written }, content.scheduled_at, claim)
  const { headers } = content
  const said = { ...(written ?? content), headers, files: [...files, ...(written?.files ?? [])] }
  return commitSend(core, outgoing, await composeOutgoing(core, outgoing, said), claim)
}

/** The inbox that sends, where the caller did not say. */
async function sendingInbox(core: Core, scope: Scope, inboxId: string | undefined): Promise<InboxRow> {
  const id = inboxId ?? scope.inboxId
  if (id) return inboxRow(core, scope, id)
  const [first, second] = await core.store.db
    .selectFrom('inboxes')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .limit(2)
    .execute()
  if (!first || second)
    throw refuse('invalid_request', 'Say which inbox sends: give inbox_id (GET /inboxes lists them).', [
      { field: 'inbox_id' },
    ])
  return first
}

/**
 * Sends a mail that begins a conversation.
 *
 * @throws ServiceError `no_recipients`, `client_id_conflict`, `message_too_large`, and those of {@link requireSending}
 */
export async function sendMessage(core: Core, scope: Scope, request: SendRequest): Promise<SendAnswer> {
  return submit(core, scope, request, claimOf('send', request, scope), async () => ({
    inbox: await sendingInbox(core, scope, request.inbox_id),
    recipients: readRecipients(request),
    subject: request.subject,
  }))
}

/**
 * Replies to a message, in its thread.
 *
 * @throws ServiceError `thread_moved`, and those of {@link sendMessage}
 */
export async function replyToMessage(core: Core, scope: Scope, request: ReplyRequest): Promise<SendAnswer> {
  return submit(core, scope, request, claimOf('reply', request, scope), async () => {
    const parent = await messageRow(core, scope, request.id)
    const inbox = await inboxRow(core, scope, parent.inbox_id)
    if (parent.direction === 'inbound' && !parseAddress(parent.from_addr)) {
      throw refuse(
        'no_recipients',
        'This message has no sender to reply to, as bounces have: send a new mail instead.',
      )
    }
    if (!request.allow_auto_reply) requireAnswerable(parent)
    return {
      inbox,
      recipients: replyRecipients(
        parent,
        inbox.address,
        request.reply_all,
        request,
        await ownAddresses(core.store.db, parent),
      ),
      subject: replySubject(parent.subject),
      parent,
      expectLast: request.expect_last_message_id,
      ...(request.quote && { written: { ...quotedContent(request, parent), files: [] } }),
    }
  })
}
