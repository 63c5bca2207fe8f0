import { sameAddress } from '../../mail/address'
import type { Bounce, Complaint } from '../../mail/parsed-mail'
import type { NewMessage } from './add-message'
import type { Change } from './change'
import type { Ground } from './context'
import { type DeliveryOutcome, recordReported } from './deliveries'

/** Feedback that says that a recipient did not want the mail (RFC 5965 section 7.3). */
const complaintTypes = new Set(['abuse', 'fraud', 'virus', 'other', 'opt-out', 'complaint'])
const mostIds = 20

/** The Message-IDs by which a report may name the mail that it is about, the surest first. */
function idsIn({ mail }: NewMessage): string[] {
  const returned = (mail.bounce ?? mail.complaint)?.returned?.messageId
  const referred = mail.inReplyTo === null ? mail.references : [mail.inReplyTo, ...mail.references]
  return [...new Set([...(returned ? [returned] : []), ...referred])].slice(0, mostIds)
}

const about = (message: NewMessage, id: string, rfc822MessageId: string): NewMessage => ({
  ...message,
  about: { id, rfc822MessageId },
})

/** The message that the signed address names, which the report came to. */
async function matchByAddress({ tx, account }: Change, message: NewMessage): Promise<NewMessage | null> {
  if (message.provenAboutId === undefined) return null
  const row = await tx
    .selectFrom('messages')
    .select(['id', 'rfc822_message_id'])
    .where('tenant_id', '=', account.tenant_id)
    .where('id', '=', message.provenAboutId)
    .where('inbox_id', '=', message.inboxId)
    .where('direction', '=', 'outbound')
    .executeTakeFirst()
  return row?.rfc822_message_id ? about(message, row.id, row.rfc822_message_id) : null
}

async function matchByIds({ tx, account }: Change, message: NewMessage): Promise<NewMessage> {
  const ids = idsIn(message)
  if (ids.length === 0) return message
  const rows = await tx
    .selectFrom('thread_keys')
    .innerJoin('messages', (join) =>
      join
        .onRef('messages.tenant_id', '=', 'thread_keys.tenant_id')
        .onRef('messages.id', '=', 'thread_keys.message_id'),
    )
    .select(['messages.id', 'thread_keys.rfc822_message_id'])
    .where('thread_keys.tenant_id', '=', account.tenant_id)
    .where('thread_keys.inbox_id', '=', message.inboxId)
    .where('thread_keys.rfc822_message_id', 'in', ids)
    .where('messages.direction', '=', 'outbound')
    .execute()
  const found = ids.flatMap((id) => rows.find((row) => row.rfc822_message_id === id) ?? [])[0]
  return found ? about(message, found.id, found.rfc822_message_id) : message
}

/**
 * Finds what the reports among mails are about: a message that the same inbox sent, by the signed address that the
 * report came to, or else by its Message-ID, which nobody guesses. What is found by neither changes nothing.
 */
export async function matchReports(change: Change, messages: readonly NewMessage[]): Promise<NewMessage[]> {
  const matched: NewMessage[] = []
  for (const message of messages) {
    const isReport = message.mail.bounce ?? message.mail.complaint
    if (!isReport) matched.push(message)
    else matched.push((await matchByAddress(change, message)) ?? (await matchByIds(change, message)))
  }
  return matched
}

interface Recipient {
  address: string
  status: string
}

/** The recipient that a report means: by address, or the only one, whose mail was forwarded. */
const meant = (recipients: readonly Recipient[], address: string): Recipient | undefined =>
  recipients.find((one) => sameAddress(one.address, address)) ??
  (recipients.length === 1 ? recipients[0] : undefined)

function outcomesOfBounce(bounce: Bounce, recipients: readonly Recipient[]): DeliveryOutcome[] {
  const told = bounce.recipients.flatMap(
    ({ address, action, kind, status, diagnostic }): DeliveryOutcome[] => {
      const recipient = meant(recipients, address)
      // Mail that is late is still on its way.
      if (!recipient || action === 'delayed') return []
      const outcome = action === 'failed' ? 'bounced' : 'delivered'
      const isHard = action === 'failed' && kind === 'hard'
      const detail = [`${kind} bounce`, status, diagnostic].filter(Boolean).join(': ')
      return [
        {
          recipient: recipient.address,
          outcome,
          isHard,
          detail: outcome === 'bounced' ? detail : 'delivered',
        },
      ]
    },
  )
  const isNameless = bounce.recipients.length === 0 && recipients.length === 1
  if (!isNameless) return told
  return [{ recipient: recipients[0]!.address, outcome: 'bounced', detail: 'bounce without a reason' }]
}

function outcomesOfComplaint(
  { type, recipients: by }: Complaint,
  recipients: readonly Recipient[],
): DeliveryOutcome[] {
  if (!complaintTypes.has(type)) return []
  const all = by.length > 0 ? by : recipients.length === 1 ? [recipients[0]!.address] : []
  return all.flatMap((address): DeliveryOutcome[] => {
    const recipient = meant(recipients, address)
    return recipient
      ? [{ recipient: recipient.address, outcome: 'complained', detail: `complaint: ${type}` }]
      : []
  })
}

const rank: Record<string, number> = { delivered: 1, bounced: 2, complained: 3 }
const isNews = (before: string, outcome: string) => (rank[outcome] ?? 0) > (rank[before] ?? 0)

async function settle(core: Ground, change: Change, { about, mail }: NewMessage): Promise<void> {
  if (!about) return
  const recipients = await change.tx
    .selectFrom('recipients')
    .select(['address', 'status'])
    .where('tenant_id', '=', change.account.tenant_id)
    .where('message_id', '=', about.id)
    .execute()
  const told = [
    ...(mail.bounce ? outcomesOfBounce(mail.bounce, recipients) : []),
    ...(mail.complaint ? outcomesOfComplaint(mail.complaint, recipients) : []),
  ]
  const news = told.filter(({ recipient, outcome }) =>
    recipients.some((one) => one.address === recipient && isNews(one.status, outcome)),
  )
  if (news.length > 0) await recordReported(core, change, about.id, news)
}

/** Writes down what the reports say of the messages that they are about. */
export async function settleReports(
  core: Ground,
  change: Change,
  messages: readonly NewMessage[],
): Promise<void> {
  for (const message of messages) await settle(core, change, message)
}
