import type { ComposeAttachment } from '../../../mail/compose'
import { formatAddress, type MailAddress } from '../../../mail/headers/address'
import type { CustomHeaders } from '../../../protocol/records/custom-headers'
import type { AttachmentInput } from '../../../protocol/records/message'
import { requireSending } from '../../accounts/account'
import type { Scope } from '../../accounts/keys'
import { changeAccount } from '../../log/change'
import type { OutboundPorts } from '../delivery/ports'
import { storeFiles } from '../submit/attached-files'
import { type Outgoing, writableThread } from '../submit/outgoing'
import { senderOf } from '../submit/sender'
import { findReplay, type IdempotencyKey, recordSend, type SendAnswer } from '../submit/sends'
import { contentAfter, emptyContent } from './content'
import { addDraft } from './drafts'

/** Content of a message that is sent later. */
interface ScheduledContent {
  text?: string | undefined
  html?: string | undefined
  headers?: CustomHeaders | undefined
  reply_to?: string[] | undefined
  attachments?: readonly AttachmentInput[] | undefined
  /** Additional files, already read. */
  files?: readonly ComposeAttachment[]
}

const written = (list: readonly MailAddress[]) => list.map(formatAddress)

/**
 * Turns a send into a draft that is sent at its time, or that people send. The client_id refers to the draft,
 * and once it is sent to the message.
 *
 * @param at ISO 8601; a time in the past means at once. Null for a suggestion to people.
 * @throws ServiceError `domain_not_verified`, `not_found`, `message_too_large`, `storage_limit_reached`,
 * `client_id_conflict`, `thread_held`, `thread_moved`, and those of {@link requireSending}
 */
export async function schedule(
  ports: OutboundPorts,
  scope: Scope,
  { inbox, recipients, subject, parent, forwardedId, sentBy, isAutomatic, ...outgoing }: Outgoing,
  { attachments = [], files: ready = [], ...said }: ScheduledContent,
  at: string | null,
  idempotencyKey: IdempotencyKey | null,
): Promise<SendAnswer> {
  await senderOf(ports, inbox)
  const { text, html, headers, reply_to } = said
  const { to, cc, bcc } = recipients
  const whole = {
    ...{ to: written(to), cc: written(cc), bcc: written(bcc) },
    ...{ subject, text, html, headers, reply_to, reply_to_message_id: parent?.id ?? null },
  }
  const empty = { ...emptyContent, forward_message_id: forwardedId ?? null }
  const content = contentAfter(empty, whole, parent ?? null, inbox, [])
  const files = await storeFiles(ports, scope, attachments, ready)
  return changeAccount(ports, scope.tenantId, async (change) => {
    const replayed = idempotencyKey && (await findReplay(change.tx, scope.tenantId, idempotencyKey))
    if (replayed) return replayed
    requireSending(change.account, change.now)
    const expectLast = at === null ? undefined : outgoing.expectLast
    if (at !== null) await writableThread(change, { parent, forwardedId, sentBy, expectLast })
    const draft = await addDraft(ports, scope, change, {
      ...{ inboxId: inbox.id, content, files, scheduledAt: at, isSuggestion: at === null },
      ...{ sentBy, allowAutoReply: parent && !isAutomatic, expectLast },
    })
    if (idempotencyKey) await recordSend(change.tx, scope.tenantId, idempotencyKey, { draftId: draft.id })
    return draft
  })
}
