import { parseAddress } from '../../mail/headers/address-list'
import { replySubject } from '../../mail/headers/subject'
import type { WrittenContent } from '../../mail/quote'
import { isServiceError } from '../../protocol/errors/error'
import type { CustomHeaders } from '../../protocol/records/custom-headers'
import type { AttachmentInput, ReplyTarget } from '../../protocol/records/message'
import { accountRow, requireSending } from '../accounts/account'
import type { InboxRow } from '../accounts/account-inboxes'
import { requireScope, type Scope } from '../accounts/keys'
import { refuse } from '../base/refuse'
import { now } from '../base/time'
import { inboxRow } from '../inboxes/inboxes'
import { messageRow } from '../messages/messages'
import type { OutboundPorts } from './delivery/ports'
import { schedule } from './drafts/schedule'
import { openFiles } from './submit/attached-files'
import { requireAnswerable, requireFewAnswers } from './submit/loop-guard'
import { fromMarkdown } from './submit/markdown'
import {
  commitSend,
  composeOutgoing,
  type Outgoing,
  type OutgoingContent,
  quotedContent,
  requireAdmittedBefore,
  requireContent,
} from './submit/outgoing'
import { ownAddresses, readRecipients, readReplyTo, replyRecipients } from './submit/recipients'
import { senderWithRun } from './submit/run'
import {
  findReplay,
  type IdempotencyKey,
  idempotencyKeyOf,
  type Replayable,
  type SendAnswer,
} from './submit/sends'

/** A message without its content. */
interface Prepared extends Omit<Outgoing, 'sentBy'> {
  /** Returns the content, from the request's without Markdown. */
  write(content: WrittenContent): Promise<OutgoingContent>
}

/** Content of any kind of send request. */
export interface Content extends Replayable {
  text?: string | undefined
  html?: string | undefined
  /** Replaces both. */
  markdown?: string | undefined
  attachments?: readonly AttachmentInput[] | undefined
  headers?: CustomHeaders | undefined
  reply_to?: string[] | undefined
  scheduled_at?: string | undefined
  /** True to leave it to people as a suggestion. */
  as_draft?: boolean | undefined
}

interface SendRequest extends Content {
  inbox_id?: string | undefined
  to: string[]
  cc: string[]
  bcc: string[]
  subject: string
}

interface ReplyRequest extends Content {
  id: string
  target?: ReplyTarget | undefined
  reply_all: boolean
  quote?: boolean | undefined
  cc: string[]
  bcc: string[]
  expect_last_message_id?: string | undefined
  allow_auto_reply: boolean
  /** True if it is the prepared text of a thread that is handed over. */
  isPrepared?: boolean
}

/** Returns whether a send continues a conversation: only then can it be a suggestion beside it. */
const isAnswer = ({ parent, forwardedId }: Outgoing): boolean =>
  parent !== undefined || forwardedId !== undefined

/** Returns whether the inbox takes what an agent writes as a suggestion. */
const isSuggested = (outgoing: Outgoing): boolean =>
  outgoing.inbox.agent === 'suggests' &&
  outgoing.sentBy?.kind !== 'operator' &&
  !outgoing.isPrepared &&
  isAnswer(outgoing)

/** Sends, or suggests it to the people who hold the thread if the caller wants that. */
async function unlessHeld(
  { when_held }: Replayable,
  outgoing: Outgoing,
  send: () => Promise<SendAnswer>,
  suggest: () => Promise<SendAnswer>,
): Promise<SendAnswer> {
  try {
    return await send()
  } catch (error) {
    if (when_held !== 'draft' || !isAnswer(outgoing) || !isServiceError(error, 'thread_held')) throw error
    return suggest()
  }
}

/**
 * Sends a message, or schedules it. An earlier send is looked up first, so that a replay succeeds whatever
 * has changed since.
 *
 * @param prepare Returns sender, recipients and subject without conversions: limits are checked first.
 */
export async function submit(
  ports: OutboundPorts,
  scope: Scope,
  request: Content,
  idempotencyKey: IdempotencyKey | null,
  prepare: () => Promise<Prepared>,
): Promise<SendAnswer> {
  const replayed = idempotencyKey && (await findReplay(ports.store.db, scope.tenantId, idempotencyKey))
  if (replayed) return replayed
  const account = await accountRow(ports, scope.tenantId)
  requireSending(account, now(ports))
  const { write, ...prepared } = await prepare()
  const answered = prepared.parent?.id ?? prepared.forwardedId
  const outgoing = { ...prepared, sentBy: await senderWithRun(ports, scope, request, answered) }
  const replyTo = readReplyTo(request.reply_to)
  const files = await openFiles(ports, scope, request.attachments ?? [])
  const isConverted = request.html !== undefined || request.markdown !== undefined
  if (isConverted && request.scheduled_at === undefined) await requireAdmittedBefore(ports, account, outgoing)
  const content = await fromMarkdown(ports, request)
  const written = await write(content)
  const suggest = () => schedule(ports, scope, outgoing, { ...content, ...written }, null, idempotencyKey)
  if (request.as_draft || isSuggested(outgoing)) return suggest()
  if (content.scheduled_at !== undefined) {
    if (outgoing.parent && outgoing.isAutomatic)
      await requireFewAnswers({ tx: ports.store.db, account, now: now(ports) }, outgoing.parent)
    return schedule(ports, scope, outgoing, { ...content, ...written }, content.scheduled_at, idempotencyKey)
  }
  const { headers } = content
  const complete = { ...written, headers, replyTo, files: [...files, ...written.files] }
  const composed = await composeOutgoing(ports, outgoing, complete)
  return unlessHeld(request, outgoing, () => commitSend(ports, outgoing, composed, idempotencyKey), suggest)
}

/** @throws ServiceError `message_empty` */
const requireSomething = ({ text, markdown, html, attachments = [] }: Content): void =>
  requireContent({ text: markdown ?? text, html }, attachments.length)

/** Returns the content as written. @throws ServiceError `message_empty` for Markdown that shows nothing */
function saying({ attachments = [] }: Content, { text, html }: WrittenContent): OutgoingContent {
  requireContent({ text, html }, attachments.length)
  return { text, html, files: [] }
}

/** Finds the sending inbox: the requested one, that of the key, or the only one of the account. */
async function sendingInbox(
  ports: OutboundPorts,
  scope: Scope,
  inboxId: string | undefined,
): Promise<InboxRow> {
  const id = inboxId ?? scope.inboxId
  if (id) return inboxRow(ports, scope, id)
  const [first, second] = await ports.store.db
    .selectFrom('inboxes')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .limit(2)
    .execute()
  if (!first || second)
    throw refuse('invalid_request', 'Name the inbox that sends: give inbox_id (GET /inboxes lists them).', [
      { field: 'inbox_id' },
    ])
  return first
}

/**
 * Sends a message that starts a conversation.
 *
 * @throws ServiceError `message_empty`, `no_recipients`, `client_id_conflict`, `message_too_large`, and those
 * of {@link requireSending}
 */
export async function sendMessage(
  ports: OutboundPorts,
  scope: Scope,
  request: SendRequest,
): Promise<SendAnswer> {
  return submit(ports, scope, request, idempotencyKeyOf('send', request, scope), async () => {
    const inbox = await sendingInbox(ports, scope, request.inbox_id)
    const recipients = readRecipients(request)
    requireSomething(request)
    return { inbox, recipients, subject: request.subject, write: async (content) => saying(request, content) }
  })
}

/**
 * Replies to a message, in its thread.
 *
 * @throws ServiceError `thread_moved`, and those of {@link sendMessage}
 */
export async function replyToMessage(
  ports: OutboundPorts,
  scope: Scope,
  request: ReplyRequest,
): Promise<SendAnswer> {
  return submit(ports, scope, request, idempotencyKeyOf('reply', request, scope), async () => {
    const parent = await messageRow(ports, scope, request.id)
    const inbox = await inboxRow(ports, scope, parent.inbox_id)
    requireSomething(request)
    if (request.quote) requireScope(scope, 'read')
    if (parent.direction === 'inbound' && !parseAddress(parent.from_addr)) {
      throw refuse(
        'no_recipients',
        'This message has no sender to reply to, like a bounce. Send a new message instead.',
      )
    }
    if (!request.allow_auto_reply) requireAnswerable(parent)
    // A person's reply of this moment counts.
    if (request.expect_last_message_id !== undefined && inbox.connection_id !== null)
      await ports.sentElsewhere.look(inbox.connection_id)
    const { leftOut, ...recipients } = replyRecipients(
      parent,
      inbox.address,
      request.reply_all,
      request,
      await ownAddresses(ports.store.db, parent),
      request.target,
    )
    return {
      inbox,
      recipients,
      leftOut,
      subject: replySubject(parent.subject),
      parent,
      expectLast: request.expect_last_message_id,
      isAutomatic: !request.allow_auto_reply,
      ...(request.isPrepared && { isPrepared: true }),
      write: async (content) => {
        const complete = saying(request, content)
        return request.quote
          ? { ...complete, ...(await quotedContent(ports, scope, content, parent)) }
          : complete
      },
    }
  })
}
