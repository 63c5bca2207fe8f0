import { asciiDomain, splitAddress } from '../../../mail/headers/address'
import type { EventType } from '../../../protocol/records/event'
import type { DeliveryReason } from '../../../protocol/records/message'
import type { ChangePorts } from '../../accounts/ports'
import { dayMs, minuteMs, timeOf } from '../../base/time'
import { finishJob, insertJobs, type Job, narrowJob, postponeJob, queueTopic } from '../../jobs/jobs'
import { suppressionReasons } from '../../lists/suppressions'
import { changeAccount } from '../../log/change'
import type { ChangeContext } from '../../log/registry'
import { labelNamesOf } from '../../messages/label-names'
import { attachmentsOf, recipientStatuses } from '../../messages/messages'
import { readOriginal } from '../../messages/originals'
import { summaryColumns, summaryRecord } from '../../messages/records'
import { noteNames } from '../../messages/thread-index'
import { selectShortText, shortTextOf } from '../../store/message-text'
import { signedSender } from './envelope-sender'
import type { OutboundPorts } from './ports'
import { recordSendFailures, type SendFailure } from './send-failures'
import type { OutgoingMail } from './transport'

/** Data of a delivery job: recipients of one message that share a domain. */
interface DeliveryData {
  messageId: string
  domain: string
  recipients: string[]
}

/** A message on its way to one domain. */
export interface Delivery {
  job: Job
  messageId: string
  domain: string
  mailFrom: string
  /** The signed sender, to which bounces of this message go. */
  envelopeSender: string
  recipients: string[]
  /** Recipients that were suppressed since it was queued. */
  suppressed: DeliveryOutcome[]
  raw: Uint8Array
  /** Span of the request that sent it. */
  traceparent: string | null
  /** Connected mailbox whose server sends it. */
  connection: OutgoingMail['connection']
}

/** Outcome for one recipient. `detail` is the text of the remote side. */
export interface DeliveryOutcome {
  recipient: string
  /** `rejected`: not sent by the service itself. */
  outcome: 'sent' | 'delivered' | 'deferred' | 'bounced' | 'complained' | 'rejected'
  detail: string
  /** Why it was not delivered. */
  reason?: DeliveryReason | null
  /** True for a bounce that shows that the address never accepts messages. */
  isHard?: boolean
  /** Minimum time in ms before the next try. */
  retryAfterMs?: number
  /** Deferred only because the remote accepts fewer recipients at once. */
  isOverLimit?: boolean
  /** Message-ID with which a relay replaced its own. */
  renamedTo?: string | undefined
}

type Status = 'queued' | DeliveryOutcome['outcome']

const retryAfterMs = [1, 5, 15, 30, 60, 120, 240].map((minutes) => minutes * minuteMs)
/** Time in ms after which an undelivered message bounces (RFC 5321 section 4.5.4.1). */
const giveUpAfterMs = 4 * dayMs

function byDomain(addresses: string[]): Map<string, string[]> {
  const domains = new Map<string, string[]>()
  for (const address of addresses) {
    const domain = asciiDomain(splitAddress(address)?.domain ?? '')
    domains.set(domain, [...(domains.get(domain) ?? []), address])
  }
  return domains
}

/** Checks whether a connected mailbox's server sends the message: then its id replaces the domain. */
const isConnection = (domain: string): boolean => domain.startsWith('con_')

/**
 * Queues a message for delivery, in the transaction that adds it.
 *
 * @param connectionId Connected mailbox whose server sends it, once for all recipients.
 */
export async function insertDeliveries(
  ports: OutboundPorts,
  change: ChangeContext,
  messageId: string,
  addresses: string[],
  connectionId: string | null = null,
): Promise<void> {
  const { tx, account } = change
  const rows = addresses.map((address) => ({
    tenant_id: account.tenant_id,
    message_id: messageId,
    address,
    status: 'queued',
    detail: null,
    reason: null,
    kind: null,
  }))
  await tx.insertInto('recipients').values(rows).execute()
  const groups = connectionId === null ? byDomain(addresses) : new Map([[connectionId, addresses]])
  const data: DeliveryData[] = [...groups].map(([domain, recipients]) => ({
    messageId,
    domain,
    recipients,
  }))
  await insertJobs(ports, tx, account.tenant_id, 'delivery', data)
  change.wake(queueTopic('delivery'))
}

/** Reads the delivery of a leased job; null if its message was deleted. */
export async function readDelivery(ports: OutboundPorts, job: Job): Promise<Delivery | null> {
  const { messageId, domain, recipients } = JSON.parse(job.data) as DeliveryData
  const message = await ports.store.db
    .selectFrom('messages')
    .select(['mail_from', 'inbox_id', 'traceparent'])
    .where('tenant_id', '=', job.tenant_id)
    .where('id', '=', messageId)
    .executeTakeFirst()
  if (!message) return null
  const { mail_from: mailFrom, inbox_id: inboxId, traceparent } = message
  const suppressed = await suppressedAmong(ports, job.tenant_id, recipients)
  return {
    job,
    messageId,
    domain,
    mailFrom,
    traceparent,
    // A mailbox's server accepts only its own addresses as sender.
    envelopeSender: isConnection(domain)
      ? mailFrom
      : signedSender(ports.secrets, mailFrom, { inboxId, messageId, domain }),
    connection: isConnection(domain) ? { tenantId: job.tenant_id, id: domain } : undefined,
    recipients: recipients.filter((recipient) => !suppressed.some((one) => one.recipient === recipient)),
    suppressed,
    raw: await readOriginal(ports, job.tenant_id, messageId),
  }
}

async function suppressedAmong(
  ports: OutboundPorts,
  tenantId: string,
  recipients: string[],
): Promise<DeliveryOutcome[]> {
  const reasons = await suppressionReasons(ports.store.db, tenantId, recipients)
  return recipients.flatMap((recipient, i): DeliveryOutcome[] => {
    const reason = reasons[i]
    if (!reason) return []
    const detail = `Not sent: the suppression list has ${recipient} since the mail was queued (${reason}).`
    return [{ recipient, outcome: 'rejected', detail, reason: 'suppressed' }]
  })
}

/** Returns the status of a message: that of the recipient that needs attention most. */
function statusOf(statuses: string[]): Status {
  const order: Status[] = ['deferred', 'queued', 'complained', 'bounced', 'rejected', 'sent', 'delivered']
  return order.find((status) => statuses.includes(status)) ?? 'queued'
}

const eventOf: Record<Exclude<Status, 'queued'>, EventType> = {
  sent: 'message.sent',
  delivered: 'message.delivered',
  deferred: 'message.deferred',
  bounced: 'message.bounced',
  complained: 'message.complained',
  rejected: 'message.rejected',
}

const kindOf = ({ outcome, isHard }: DeliveryOutcome): 'hard' | 'soft' | null => {
  if (outcome !== 'bounced' && outcome !== 'deferred') return null
  return isHard ? 'hard' : 'soft'
}

/** Stores the outcomes of recipients, and returns those that are new. */
async function saveOutcomes(
  change: ChangeContext,
  messageId: string,
  outcomes: DeliveryOutcome[],
): Promise<DeliveryOutcome[]> {
  const { tx, account } = change
  const before = await recipientStatuses(tx, account.tenant_id, messageId)
  const news = outcomes.filter(({ recipient, outcome, detail }) =>
    before.some((one) => one.address === recipient && (one.status !== outcome || one.detail !== detail)),
  )
  for (const one of news) {
    await tx
      .updateTable('recipients')
      .set({ status: one.outcome, detail: one.detail, reason: one.reason ?? null, kind: kindOf(one) })
      .where('tenant_id', '=', account.tenant_id)
      .where('message_id', '=', messageId)
      .where('address', '=', one.recipient)
      .execute()
  }
  return news
}

/** Stores the status of a message, and appends an event for each kind of outcome. */
async function saveMessageStatus(
  change: ChangeContext,
  messageId: string,
  outcomes: DeliveryOutcome[],
): Promise<void> {
  const { tx, account } = change
  const recipients = await recipientStatuses(tx, account.tenant_id, messageId)
  const status = statusOf(recipients.map((one) => one.status))
  const delivery_detail = outcomes.find((one) => one.outcome === status)?.detail ?? outcomes[0]?.detail ?? ''
  const row = await tx
    .selectFrom('messages')
    .select(summaryColumns)
    .select(selectShortText)
    .where('tenant_id', '=', account.tenant_id)
    .where('id', '=', messageId)
    .executeTakeFirst()
  if (!row) return
  const changed = { delivery_status: status, delivery_detail }
  const attachments = await attachmentsOf(tx, account.tenant_id, [messageId])
  const labels = await labelNamesOf(tx, account.tenant_id, [row])
  const record = summaryRecord(
    { ...row, ...changed, reply_text: shortTextOf(row) },
    attachments.get(messageId) ?? [],
    labels,
    true,
  )
  let seq = row.seq
  for (const outcome of new Set(outcomes.map((one) => one.outcome)))
    seq = change.append(eventOf[outcome], row.inbox_id, { ...record, recipients })
  await tx
    .updateTable('messages')
    .set({ ...changed, seq })
    .where('tenant_id', '=', account.tenant_id)
    .where('id', '=', messageId)
    .execute()
}

/** Bounces a message that was deferred for too long. */
function giveUpInTime(ports: OutboundPorts, job: Job, outcome: DeliveryOutcome): DeliveryOutcome {
  const late = ports.clock.now() - Date.parse(job.created_at) >= giveUpAfterMs
  return late && outcome.outcome === 'deferred'
    ? { ...outcome, outcome: 'bounced', detail: `Given up after 4 days: ${outcome.detail}` }
    : outcome
}

/**
 * Returns the delay in ms before the next try: the table's, reduced at random, so that messages deferred
 * together do not return together.
 */
function delayOf(job: Job, deferred: DeliveryOutcome[]): number {
  const delayMs = retryAfterMs[Math.min(job.attempts, retryAfterMs.length) - 1] ?? minuteMs
  const asked = Math.max(0, ...deferred.map((one) => one.retryAfterMs ?? 0))
  return Math.max(delayMs * (0.75 + Math.random() / 4), asked * (1 + Math.random() / 10))
}

/** Returns whether some recipients were accepted, and the others only need another transaction. */
function isNextPart(outcomes: readonly DeliveryOutcome[]): boolean {
  const deferred = outcomes.filter((one) => one.outcome === 'deferred')
  return deferred.every((one) => one.isOverLimit) && outcomes.some((one) => one.outcome === 'sent')
}

async function settleJob(
  ports: OutboundPorts,
  change: ChangeContext,
  job: Job,
  outcomes: DeliveryOutcome[],
): Promise<boolean> {
  const deferred = outcomes.filter((one) => one.outcome === 'deferred')
  if (deferred.length === 0) return finishJob(change.tx, job)
  const lastAt = Date.parse(job.created_at) + giveUpAfterMs
  const isNext = isNextPart(outcomes)
  if (isNext) change.wake(queueTopic('delivery'))
  const runAt = timeOf(Math.min(ports.clock.now() + (isNext ? 0 : delayOf(job, deferred)), lastAt))
  const recipients = deferred.map((one) => one.recipient)
  return postponeJob(change.tx, job, runAt, JSON.stringify({ ...JSON.parse(job.data), recipients }))
}

const failureOf = ({ recipient, outcome, detail }: DeliveryOutcome): SendFailure => ({
  address: recipient,
  reason: outcome === 'complained' ? 'complaint' : 'bounce',
  detail,
})

/**
 * Stores the outcomes of a delivery: recipients, message, event and job in one transaction. A worker that
 * lost its lease writes nothing.
 */
export async function recordOutcomes(
  ports: OutboundPorts,
  job: Job,
  reported: DeliveryOutcome[],
): Promise<void> {
  const { messageId } = JSON.parse(job.data) as DeliveryData
  const outcomes = reported.map((outcome) => giveUpInTime(ports, job, outcome))
  await changeAccount(ports, job.tenant_id, async (change) => {
    if (!(await settleJob(ports, change, job, outcomes))) return
    await recordReported(ports, change, messageId, outcomes)
  })
}

/**
 * Stores which recipients of a message were accepted; the job continues without them on any node.
 *
 * @throws Error if the lease was lost: another node may be sending it already.
 */
export async function recordTaken(ports: OutboundPorts, job: Job, taken: DeliveryOutcome[]): Promise<void> {
  const before = JSON.parse(job.data) as DeliveryData
  const has = new Set(taken.map((one) => one.recipient))
  const recipients = before.recipients.filter((recipient) => !has.has(recipient))
  const data = JSON.stringify({ ...before, recipients })
  await changeAccount(ports, job.tenant_id, async (change) => {
    if (!(await narrowJob(change.tx, job, data))) throw new Error('the lease of a delivery was lost')
    await recordReported(ports, change, before.messageId, taken)
  })
  job.data = data
}

/** Stores the outcomes of some recipients of a message, with their events. */
export async function recordReported(
  ports: ChangePorts,
  change: ChangeContext,
  messageId: string,
  outcomes: DeliveryOutcome[],
): Promise<void> {
  const news = await saveOutcomes(change, messageId, outcomes)
  if (news.length > 0) await saveMessageStatus(change, messageId, news)
  const names = outcomes.flatMap((one) => one.renamedTo ?? [])
  await noteNames(change, messageId, [...new Set(names)])
  const failures = outcomes.filter((one) => one.isHard || one.outcome === 'complained')
  await recordSendFailures(ports, change, failures.map(failureOf))
}

/** Ends a job whose message was deleted. */
export async function dropDelivery(ports: OutboundPorts, job: Job): Promise<void> {
  await ports.store.write((tx) => finishJob(tx, job))
}
