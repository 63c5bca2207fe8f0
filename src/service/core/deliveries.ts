import { asciiDomain, splitAddress } from '../../mail/address'
import type { EventType } from '../../protocol/event'
import { type Change, changeAccount } from './change'
import { type Core, type Ground, timeOf } from './context'
import { finishJob, insertJobs, type Job, postponeJob, queueTopic } from './jobs'
import { labelNamesOf } from './label-names'
import { attachmentsOf } from './messages'
import { readOriginal } from './originals'
import { selectReplyText, summaryColumns, summaryRecord } from './records'
import { recordSendFailures, type SendFailure } from './send-failures'

/** The data of a job of the delivery queue: recipients of one message that share a domain. */
interface DeliveryData {
  messageId: string
  domain: string
  recipients: string[]
}

/** A mail on its way to one domain. */
export interface Delivery {
  job: Job
  domain: string
  mailFrom: string
  recipients: string[]
  raw: Uint8Array
}

/** How it went for one recipient. `detail` is what the other side said. */
export interface DeliveryOutcome {
  recipient: string
  outcome: 'sent' | 'delivered' | 'deferred' | 'bounced' | 'complained'
  detail: string
  /** A bounce that says that the address takes no mail, now and ever. */
  isHard?: boolean
}

type Status = 'queued' | DeliveryOutcome['outcome']

const minuteMs = 60_000
const retryAfterMs = [1, 5, 15, 30, 60, 120, 240].map((minutes) => minutes * minuteMs)
/** Mail that was not taken for this long is bounced (RFC 5321 section 4.5.4.1). */
const giveUpAfterMs = 4 * 24 * 60 * minuteMs

function byDomain(addresses: string[]): Map<string, string[]> {
  const domains = new Map<string, string[]>()
  for (const address of addresses) {
    const domain = asciiDomain(splitAddress(address)?.domain ?? '')
    domains.set(domain, [...(domains.get(domain) ?? []), address])
  }
  return domains
}

/** Puts a message on its way, in the transaction that adds it. */
export async function insertDeliveries(
  core: Core,
  change: Change,
  messageId: string,
  addresses: string[],
): Promise<void> {
  const { tx, account } = change
  const rows = addresses.map((address) => ({
    tenant_id: account.tenant_id,
    message_id: messageId,
    address,
    status: 'queued',
    detail: null,
  }))
  await tx.insertInto('recipients').values(rows).execute()
  const data: DeliveryData[] = [...byDomain(addresses)].map(([domain, recipients]) => ({
    messageId,
    domain,
    recipients,
  }))
  await insertJobs(core, tx, account.tenant_id, 'delivery', data)
  change.wake(queueTopic('delivery'))
}

/** What a leased job says to do. Null where its message is gone. */
export async function readDelivery(core: Core, job: Job): Promise<Delivery | null> {
  const { messageId, domain, recipients } = JSON.parse(job.data) as DeliveryData
  const message = await core.store.db
    .selectFrom('messages')
    .select('mail_from')
    .where('tenant_id', '=', job.tenant_id)
    .where('id', '=', messageId)
    .executeTakeFirst()
  if (!message) return null
  const raw = await readOriginal(core, job.tenant_id, messageId)
  return { job, domain, mailFrom: message.mail_from, recipients, raw }
}

/** What a message shows: the state that asks most for attention. */
function statusOf(statuses: string[]): Status {
  const order: Status[] = ['deferred', 'queued', 'complained', 'bounced', 'sent', 'delivered']
  return order.find((status) => statuses.includes(status)) ?? 'queued'
}

const eventOf: Record<Exclude<Status, 'queued'>, EventType> = {
  sent: 'message.sent',
  delivered: 'message.delivered',
  deferred: 'message.deferred',
  bounced: 'message.bounced',
  complained: 'message.complained',
}

async function saveOutcomes(
  change: Change,
  messageId: string,
  outcomes: DeliveryOutcome[],
): Promise<string[]> {
  const { tx, account } = change
  const recipients = tx.selectFrom('recipients').where('tenant_id', '=', account.tenant_id)
  for (const { recipient, outcome, detail } of outcomes) {
    await tx
      .updateTable('recipients')
      .set({ status: outcome, detail })
      .where('tenant_id', '=', account.tenant_id)
      .where('message_id', '=', messageId)
      .where('address', '=', recipient)
      .execute()
  }
  const rows = await recipients.select('status').where('message_id', '=', messageId).execute()
  return rows.map((row) => row.status)
}

async function saveMessageStatus(
  change: Change,
  messageId: string,
  status: Status,
  detail: string,
): Promise<void> {
  const { tx, account } = change
  const row = await tx
    .selectFrom('messages')
    .select(summaryColumns)
    .select(selectReplyText.as('reply_text'))
    .where('tenant_id', '=', account.tenant_id)
    .where('id', '=', messageId)
    .executeTakeFirst()
  if (!row || status === 'queued' || (row.delivery_status === status && row.delivery_detail === detail))
    return
  const changed = { delivery_status: status, delivery_detail: detail }
  const attachments = await attachmentsOf(tx, account.tenant_id, [messageId])
  const seq = change.append(
    eventOf[status],
    row.inbox_id,
    summaryRecord(
      { ...row, ...changed },
      attachments.get(messageId) ?? [],
      await labelNamesOf(tx, account.tenant_id, [row]),
    ),
  )
  await tx
    .updateTable('messages')
    .set({ ...changed, seq })
    .where('tenant_id', '=', account.tenant_id)
    .where('id', '=', messageId)
    .execute()
}

/** Mail that was put off too often has failed. */
function giveUpInTime(core: Core, job: Job, outcome: DeliveryOutcome): DeliveryOutcome {
  const late = core.clock.now() - Date.parse(job.created_at) >= giveUpAfterMs
  return late && outcome.outcome === 'deferred'
    ? { ...outcome, outcome: 'bounced', detail: `Given up after 4 days: ${outcome.detail}` }
    : outcome
}

async function settleJob(core: Core, change: Change, job: Job, deferred: string[]): Promise<boolean> {
  if (deferred.length === 0) return finishJob(change.tx, job)
  const delayMs = retryAfterMs[Math.min(job.attempts, retryAfterMs.length) - 1] ?? minuteMs
  const data = JSON.stringify({ ...JSON.parse(job.data), recipients: deferred })
  return postponeJob(change.tx, job, timeOf(core.clock.now() + delayMs), data)
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
export async function recordOutcomes(core: Core, job: Job, told: DeliveryOutcome[]): Promise<void> {
  const { messageId } = JSON.parse(job.data) as DeliveryData
  const outcomes = told.map((outcome) => giveUpInTime(core, job, outcome))
  const deferred = outcomes.filter((one) => one.outcome === 'deferred').map((one) => one.recipient)
  await changeAccount(core, job.tenant_id, async (change) => {
    if (!(await settleJob(core, change, job, deferred))) return
    await recordReported(core, change, messageId, outcomes)
  })
}

/** Writes down what became of a message for some of its recipients, with the event that tells of it. */
export async function recordReported(
  core: Ground,
  change: Change,
  messageId: string,
  outcomes: DeliveryOutcome[],
): Promise<void> {
  const status = statusOf(await saveOutcomes(change, messageId, outcomes))
  const detail = outcomes.find((one) => one.outcome === status)?.detail ?? outcomes[0]?.detail ?? ''
  await saveMessageStatus(change, messageId, status, detail)
  const failures = outcomes.filter((one) => one.isHard || one.outcome === 'complained')
  await recordSendFailures(core, change, failures.map(failureOf))
}

/** Ends a job whose message is gone. */
export async function dropDelivery(core: Core, job: Job): Promise<void> {
  await core.store.write((tx) => finishJob(tx, job))
}
