import { asciiDomain, splitAddress } from '../../../mail/headers'
import type { DeliveryReason, EventType } from '../../../protocol/records'
import type { ChangePorts } from '../../accounts'
import { dayMs, minuteMs, timeOf } from '../../base'
import { finishJob, insertJobs, type Job, narrowJob, postponeJob, queueTopic } from '../../jobs'
import { suppressionReasons } from '../../lists'
import { type ChangeContext, changeAccount } from '../../log'
import {
  attachmentsOf,
  labelNamesOf,
  noteNames,
  readOriginal,
  recipientStatuses,
  summaryColumns,
  summaryRecord,
} from '../../messages'
import { selectShortText, shortTextOf } from '../../store'
import { signedSender } from './envelope-sender'
import type { OutboundPorts } from './ports'
import { recordSendFailures, type SendFailure } from './send-failures'
import type { OutgoingMail } from './transport'

/** The data of a job of the delivery queue: recipients of one message that share a domain. */
interface DeliveryData {
  messageId: string
  domain: string
  recipients: string[]
}

/** A mail on its way to one domain. */
export interface Delivery {
  job: Job
  messageId: string
  domain: string
  mailFrom: string
  /** The same, signed: where a bounce of this mail comes to. */
  envelopeSender: string
  recipients: string[]
  /** Recipients who were put on the suppression list since it was queued. */
  suppressed: DeliveryOutcome[]
  raw: Uint8Array
  /** The span of whoever sent it. */
  traceparent: string | null
  /** The connected mailbox whose server takes it. */
  connection: OutgoingMail['connection']
}

/** The outcome for one recipient. `detail` is what the other side said. */
export interface DeliveryOutcome {
  recipient: string
  /** `rejected` is what the service itself does not send. */
  outcome: 'sent' | 'delivered' | 'deferred' | 'bounced' | 'complained' | 'rejected'
  detail: string
  /** The reason why it is not there. */
  reason?: DeliveryReason | null
  /** A bounce that says that the address takes no mail, now and ever. */
  isHard?: boolean
  /** Not to be tried again before this time has passed. */
  retryAfterMs?: number
  /** Deferred only because the remote takes fewer recipients at once. */
  isOverLimit?: boolean
  /** The Message-ID that a relay gave it in place of its own. */
  renamedTo?: string | undefined
}

type Status = 'queued' | DeliveryOutcome['outcome']

const retryAfterMs = [1, 5, 15, 30, 60, 120, 240].map((minutes) => minutes * minuteMs)
/** Mail that was not taken for this long is bounced (RFC 5321 section 4.5.4.1). */
const giveUpAfterMs = 4 * dayMs

function byDomain(addresses: string[]): Map<string, string[]> {
  const domains = new Map<string, string[]>()
  for (const address of addresses) {
    const domain = asciiDomain(splitAddress(address)?.domain ?? '')
    domains.set(domain, [...(domains.get(domain) ?? []), address])
  }
  return domains
}

/** Tells whether mail goes by the server of a connected mailbox, whose id stands where else the domain does. */
const isConnection = (domain: string): boolean => domain.startsWith('con_')

/**
 * Puts a message on its way, in the transaction that adds it.
 *
 * @param connectionId The connected mailbox whose server takes it, once for all recipients.
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

/** Reads the delivery that a leased job asks for; null where its message is gone. */
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
    // A server takes mail of its own addresses only.
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

/** Picks the status that a message shows: the state of a recipient that asks most for attention. */
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

/** Writes down how the recipients fare from now on; what is returned is what was not known of them. */
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

/** Writes the state of a message, and tells each thing that happened to its recipients. */
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

/** Bounces mail that was put off for too long. */
function giveUpInTime(ports: OutboundPorts, job: Job, outcome: DeliveryOutcome): DeliveryOutcome {
  const late = ports.clock.now() - Date.parse(job.created_at) >= giveUpAfterMs
  return late && outcome.outcome === 'deferred'
    ? { ...outcome, outcome: 'bounced', detail: `Given up after 4 days: ${outcome.detail}` }
    : outcome
}

/**
 * The pause before the next try, in ms: a little less than the table says, and each time another, so that what was
 * put off together does not come back together.
 */
function delayOf(job: Job, deferred: DeliveryOutcome[]): number {
  const delayMs = retryAfterMs[Math.min(job.attempts, retryAfterMs.length) - 1] ?? minuteMs
  const asked = Math.max(0, ...deferred.map((one) => one.retryAfterMs ?? 0))
  return Math.max(delayMs * (0.75 + Math.random() / 4), asked * (1 + Math.random() / 10))
}

/** Returns whether some recipients were taken, and the others only have to come in the next transaction. */
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
 * Writes down how a delivery went: recipients, message, event and the job itself in one transaction. Nothing is
 * written by a worker that has lost its lease.
 */
export async function recordOutcomes(ports: OutboundPorts, job: Job, told: DeliveryOutcome[]): Promise<void> {
  const { messageId } = JSON.parse(job.data) as DeliveryData
  const outcomes = told.map((outcome) => giveUpInTime(ports, job, outcome))
  await changeAccount(ports, job.tenant_id, async (change) => {
    if (!(await settleJob(ports, change, job, outcomes))) return
    await recordReported(ports, change, messageId, outcomes)
  })
}

/**
 * Writes down who has got a mail of which others have not: the job goes on without them, whoever runs it.
 *
 * @throws Error where the lease was lost: another may be sending it already.
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

/** Writes down what became of a message for some of its recipients, with the event that tells of it. */
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

/** Ends a job whose message is gone. */
export async function dropDelivery(ports: OutboundPorts, job: Job): Promise<void> {
  await ports.store.write((tx) => finishJob(tx, job))
}
