import { asciiDomain, sameAddress, splitAddress } from '../../mail/headers/address'
import type { BelievedReport } from '../../protocol/records/message'
import { requireManaging } from '../accounts/account'
import type { Scope } from '../accounts/keys'
import type { ChangePorts } from '../accounts/ports'
import { refuse } from '../base/refuse'
import { changeAccount } from '../log/change'
import type { ChangeContext } from '../log/registry'
import { type NewMessage, reportOf, type StoredReport } from '../messages/add-message'
import { messageRowIn } from '../messages/messages'
import { type DeliveryOutcome, recordReported } from '../outbound/delivery/deliveries'
import { coveredBy } from '../outbound/delivery/envelope-sender'
import type { InboundPorts } from './ports'

/** Feedback types by which a recipient rejects a message (RFC 5965 section 7.3). */
const complaintTypes = new Set(['abuse', 'fraud', 'virus', 'other', 'opt-out', 'complaint'])
const maxIds = 20

/** Returns the Message-IDs by which a report may name its message, the most reliable first. */
function idsIn({ mail }: NewMessage): string[] {
  const returned = (mail.bounce ?? mail.complaint)?.returned?.messageId
  const referred = mail.inReplyTo === null ? mail.references : [mail.inReplyTo, ...mail.references]
  return [...new Set([...(returned ? [returned] : []), ...referred])].slice(0, maxIds)
}

const about = (message: NewMessage, id: string, rfc822MessageId: string): NewMessage => ({
  ...message,
  about: { id, rfc822MessageId },
})

/** Finds the message that is named by the signed address of the report. */
async function matchByAddress(
  { tx, account }: ChangeContext,
  message: NewMessage,
): Promise<NewMessage | null> {
  if (message.returnPath === undefined) return null
  const row = await tx
    .selectFrom('messages')
    .select(['id', 'rfc822_message_id'])
    .where('tenant_id', '=', account.tenant_id)
    .where('id', '=', message.returnPath.messageId)
    .where('inbox_id', '=', message.inboxId)
    .where('direction', '=', 'outbound')
    .executeTakeFirst()
  return row?.rfc822_message_id ? about(message, row.id, row.rfc822_message_id) : null
}

async function matchByIds({ tx, account }: ChangeContext, message: NewMessage): Promise<NewMessage> {
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

interface Recipient {
  address: string
  status: string
}

const recipientsOf = ({ tx, account }: ChangeContext, messageId: string): Promise<Recipient[]> =>
  tx
    .selectFrom('recipients')
    .select(['address', 'status'])
    .where('tenant_id', '=', account.tenant_id)
    .where('message_id', '=', messageId)
    .execute()

/** Returns whether a report is signed by the smarthost, which rewrites the return path. */
function isOfSmarthost({ settings }: InboundPorts, { mail, authentication }: NewMessage): boolean {
  const domain = asciiDomain(splitAddress(mail.from?.address ?? '')?.domain ?? '')
  const isNamed = settings.reportDomains.some((one) => domain === one || domain.endsWith(`.${one}`))
  return isNamed && authentication?.dkim_aligned === true
}

/** Finds the recipients that a report is trusted about: those of its return path; all for the smarthost's. */
async function withTrust(
  ports: InboundPorts,
  change: ChangeContext,
  message: NewMessage,
): Promise<NewMessage> {
  if (!message.about) return message
  const recipients = await recipientsOf(change, message.about.id)
  const addresses = recipients.map((one) => one.address)
  const { returnPath } = message
  const isIts = returnPath?.messageId === message.about.id
  const covered = returnPath && isIts ? coveredBy(ports.secrets, returnPath, addresses) : []
  const believedOf = message.ofOwnServer || isOfSmarthost(ports, message) ? addresses : covered
  const named = reportOf(message)?.recipients ?? []
  const speaksOfThem =
    named.length === 0 || named.some(({ address }) => meant(recipients, believedOf, address))
  return { ...message, believedOf: speaksOfThem ? believedOf : [] }
}

/**
 * Finds the messages that reports are about. Each was sent by the same inbox, and is found by the signed
 * address of the report, else by its Message-ID. The id is known to everybody who saw the message: alone it
 * proves nothing.
 */
export async function matchReports(
  ports: InboundPorts,
  change: ChangeContext,
  messages: readonly NewMessage[],
): Promise<NewMessage[]> {
  const matched: NewMessage[] = []
  for (const message of messages) {
    const isReport = message.mail.bounce ?? message.mail.complaint
    if (!isReport) matched.push(message)
    else {
      const found = (await matchByAddress(change, message)) ?? (await matchByIds(change, message))
      matched.push(await withTrust(ports, change, found))
    }
  }
  return matched
}

/** Returns the recipient that a report means: by address, or the only trusted one (forwarded). */
function meant(
  recipients: readonly Recipient[],
  believedOf: readonly string[],
  address: string,
): string | undefined {
  const named = recipients.find((one) => sameAddress(one.address, address))
  if (named) return believedOf.find((one) => one === named.address)
  return believedOf.length === 1 ? believedOf[0] : undefined
}

type Meant = (address: string) => string | undefined

function outcomesOfBounce({ recipients }: StoredReport, meant: Meant): DeliveryOutcome[] {
  return recipients.flatMap(({ address, action, kind, status, diagnostic }): DeliveryOutcome[] => {
    const recipient = meant(address)
    // A delayed message is still in transit.
    if (!recipient || action === 'delayed') return []
    if (action !== 'failed') return [{ recipient, outcome: 'delivered', detail: 'delivered' }]
    const detail = [`${kind} bounce`, status, diagnostic].filter(Boolean).join(': ')
    return [{ recipient, outcome: 'bounced', isHard: kind === 'hard', detail }]
  })
}

/** Reads the outcomes of trusted recipients from a report. */
function outcomesOf(
  report: StoredReport,
  recipients: readonly Recipient[],
  believedOf: readonly string[],
): DeliveryOutcome[] {
  const [only] = believedOf.length === 1 ? believedOf : []
  if (report.kind === 'bounce') {
    if (report.recipients.length > 0)
      return outcomesOfBounce(report, (address) => meant(recipients, believedOf, address))
    return only ? [{ recipient: only, outcome: 'bounced', detail: 'bounce without a reason' }] : []
  }
  if (!complaintTypes.has(report.type ?? '')) return []
  const named = report.recipients.map(({ address }) => meant(recipients, believedOf, address))
  const by = report.recipients.length > 0 ? named : [only]
  return by.flatMap((recipient): DeliveryOutcome[] =>
    recipient ? [{ recipient, outcome: 'complained', detail: `complaint: ${report.type}` }] : [],
  )
}

const rank: Record<string, number> = { delivered: 1, bounced: 2, complained: 3 }
const isNews = (before: string, outcome: string) => (rank[outcome] ?? 0) > (rank[before] ?? 0)

/** @param believedOf null for all recipients */
async function settle(
  ports: ChangePorts,
  change: ChangeContext,
  {
    messageId,
    report,
    believedOf,
  }: { messageId: string; report: StoredReport; believedOf: readonly string[] | null },
): Promise<void> {
  const recipients = await recipientsOf(change, messageId)
  const reported = outcomesOf(report, recipients, believedOf ?? recipients.map((one) => one.address))
  const news = reported.filter(({ recipient, outcome }) =>
    recipients.some((one) => one.address === recipient && isNews(one.status, outcome)),
  )
  if (news.length > 0) await recordReported(ports, change, messageId, news)
}

/** Records what believed reports say about their messages. */
export async function settleReports(
  ports: ChangePorts,
  change: ChangeContext,
  messages: readonly NewMessage[],
): Promise<void> {
  for (const message of messages) {
    const report = reportOf(message)
    const { about, believedOf = [] } = message
    if (report?.believed && about) await settle(ports, change, { messageId: about.id, report, believedOf })
  }
}

/**
 * Marks an unproven report as believed, on the decision of a user.
 *
 * @throws ServiceError `not_found`, `not_a_report`, `claim_required`, `account_expired`
 */
export async function believeReport(ports: InboundPorts, scope: Scope, id: string): Promise<BelievedReport> {
  return changeAccount(ports, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    const { report, about_message_id: messageId } = await messageRowIn(change.tx, scope, id)
    if (report === null || messageId === null)
      throw refuse(
        'not_a_report',
        `Message ${id} is not a bounce or complaint about a message that its inbox sent.`,
      )
    const stored: StoredReport = JSON.parse(report)
    if (stored.believed === false) {
      const believed = { ...stored, believed: true }
      await change.tx
        .updateTable('messages')
        .set({ report: JSON.stringify(believed) })
        .where('tenant_id', '=', scope.tenantId)
        .where('id', '=', id)
        .execute()
      await settle(ports, change, { messageId, report: believed, believedOf: null })
    }
    return { id, message_id: messageId, believed: true }
  })
}
