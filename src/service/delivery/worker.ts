import { hasUtf8Header } from '../../mail/header-bytes'
import { isServiceError } from '../../protocol/error'
import type { Core } from '../core/context'
import {
  type Delivery,
  type DeliveryOutcome,
  dropDelivery,
  readDelivery,
  recordOutcomes,
  recordTaken,
} from '../core/deliveries'
import { receivedHere } from '../core/domain-hosts'
import type { Ingest } from '../core/ingest'
import type { JobRunner } from '../core/job-runner'
import type { Job } from '../core/jobs'
import { holdWhilePaused } from '../core/paused-jobs'
import type { RecipientOutcome } from './outcome'
import { createDeliveryQueue } from './queue'
import { isHardBounce, reasonOf } from './reason'
import { renamedTo } from './renamed'
import { feedbackOf, type Site } from './site'
import type { Settle, Transport } from './transport'

export interface DeliveryWorkerOptions {
  core: Core
  ingest: Ingest
  /** The way out for everything that has no inbox here. */
  transport: Transport
  /** How many jobs run at once. */
  concurrency?: number
}

/** The site of everything that has an inbox here. */
const here = ''

/** It never left the service, which lets nobody write in the name of another's inbox. */
const written = { spf: 'none', dkim: 'none', dmarc: 'none', arc: 'none', from_verified: true }

/** Mail to an inbox of this service goes in by the same door as any other. */
async function deliverHere(
  ingest: Ingest,
  { mailFrom, recipients, raw }: Delivery,
): Promise<DeliveryOutcome[]> {
  return Promise.all(
    recipients.map((recipient) =>
      ingest({ mailFrom, recipients: [recipient], authentication: written }, raw).then(
        (): DeliveryOutcome => ({ recipient, outcome: 'delivered', detail: 'delivered here' }),
        (error): DeliveryOutcome => {
          const gone = isServiceError(error) && error.code !== 'quota_exceeded' && error.status < 500
          const isHard = gone && (error.code === 'mailbox_unavailable' || error.code === 'address_retired')
          return {
            recipient,
            outcome: gone ? 'bounced' : 'deferred',
            detail: String((error as Error).message),
            reason: isHard ? 'unknown_address' : gone ? 'policy' : 'mailbox_full',
            isHard,
          }
        },
      ),
    ),
  )
}

const told = (one: RecipientOutcome): DeliveryOutcome => ({
  recipient: one.recipient,
  outcome: one.outcome,
  detail: one.response,
  reason: reasonOf(one),
  isHard: isHardBounce(one),
  renamedTo: renamedTo(one),
  ...(one.retryAfterMs !== undefined && { retryAfterMs: one.retryAfterMs }),
})

/** Carries out what is due on the way out, and writes down how it went. */
export function createDeliveryWorker({
  core,
  ingest,
  transport,
  concurrency,
}: DeliveryWorkerOptions): JobRunner {
  async function sendOut(delivery: Delivery, site: Site, signal: AbortSignal): Promise<RecipientOutcome[]> {
    const { job, envelopeSender: mailFrom, recipients, raw } = delivery
    const nowMs = core.clock.now()
    if (site.isClosed(nowMs)) return recipients.map((recipient) => ({ recipient, ...site.refusal(nowMs) }))
    const mail = { mailFrom, recipients, raw, smtpUtf8Needed: hasUtf8Header(raw) }
    const settle: Settle = (taken) => recordTaken(core, job, taken.map(told))
    const outcomes = await transport.send(mail, signal, settle)
    site.report(feedbackOf(outcomes), outcomes[0]?.response ?? '', core.clock.now())
    return outcomes
  }

  async function carry(delivery: Delivery, site: Site, signal: AbortSignal): Promise<DeliveryOutcome[]> {
    const { suppressed, recipients } = delivery
    if (recipients.length === 0) return suppressed
    const [isHere] = await receivedHere(core, [delivery.domain])
    const outcomes = isHere
      ? await deliverHere(ingest, delivery)
      : (await sendOut(delivery, site, signal)).map(told)
    return [...suppressed, ...outcomes]
  }

  async function work(job: Job, site: Site, signal: AbortSignal): Promise<void> {
    if (await holdWhilePaused(core, job)) return
    const delivery = await readDelivery(core, job)
    if (delivery) await recordOutcomes(core, job, await carry(delivery, site, signal))
    else await dropDelivery(core, job)
  }

  async function sitesOf(destinations: readonly string[]): Promise<string[]> {
    const isHere = await receivedHere(core, destinations)
    return destinations.map((destination, i) => (isHere[i] ? here : transport.siteOf(destination)))
  }

  const queue = createDeliveryQueue({ core, sitesOf, work, ...(concurrency && { concurrency }) })
  return {
    async close(graceMs) {
      await queue.close(graceMs)
      await transport.close()
    },
  }
}
