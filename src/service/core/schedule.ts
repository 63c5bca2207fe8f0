import { formatAddress } from '../../mail/address'
import type { ComposeAttachment } from '../../mail/compose'
import type { MailAddress } from '../../mail/parsed-mail'
import type { CustomHeaders } from '../../protocol/custom-headers'
import type { AttachmentInput } from '../../protocol/message'
import { requireSending } from './account'
import { storeFiles } from './attached-files'
import { changeAccount } from './change'
import type { Core } from './context'
import { contentAfter, emptyContent } from './draft-content'
import { addDraft } from './drafts'
import type { Scope } from './keys'
import type { Outgoing } from './outgoing'
import { refuse } from './refuse'
import { senderOf } from './sender'
import { findReplay, recordSend, type SendAnswer, type SendClaim } from './sends'

/** What a mail that is sent later says. */
export interface ScheduledContent {
  text?: string | undefined
  html?: string | undefined
  headers?: CustomHeaders | undefined
  attachments?: readonly AttachmentInput[] | undefined
  /** Files besides, which have been read. */
  files?: readonly ComposeAttachment[]
}

/** Nobody looks at it any more when its time comes: what can be seen now is refused now. */
function requireContent({ text, html }: ScheduledContent, files: number): void {
  if (text || html || files > 0) return
  throw refuse('invalid_request', 'A mail with scheduled_at needs text, html or attachments.', [
    { field: 'text', problem: 'is empty' },
  ])
}

const written = (list: readonly MailAddress[]) => list.map(formatAddress)

/**
 * Makes a send into a draft that sends itself. The client_id leads to the draft, and once it is sent to the message.
 *
 * @param at ISO 8601; a time that has passed means at once.
 * @throws ServiceError `invalid_request`, `domain_not_verified`, `not_found`, `message_too_large`,
 * `client_id_conflict`, and those of {@link requireSending}
 */
export async function schedule(
  core: Core,
  scope: Scope,
  { inbox, recipients, subject, parent }: Outgoing,
  { attachments = [], files: ready = [], ...said }: ScheduledContent,
  at: string,
  claim: SendClaim | null,
): Promise<SendAnswer> {
  await senderOf(core, inbox)
  const { text, html, headers } = said
  const { to, cc, bcc } = recipients
  const whole = {
    ...{ to: written(to), cc: written(cc), bcc: written(bcc) },
    ...{ subject, text, html, headers, reply_to_message_id: parent?.id ?? null },
  }
  const content = contentAfter(emptyContent, whole, parent ?? null, inbox, [])
  const files = await storeFiles(core, scope, attachments, ready)
  requireContent(said, files.length)
  return changeAccount(core, scope.tenantId, async (change) => {
    const replayed = claim && (await findReplay(change.tx, scope.tenantId, claim))
    if (replayed) return replayed
    requireSending(change.account, change.now)
    const draft = await addDraft(core, scope, change, { inboxId: inbox.id, content, files, scheduledAt: at })
    if (claim) await recordSend(change.tx, scope.tenantId, claim, { draftId: draft.id })
    return draft
  })
}
