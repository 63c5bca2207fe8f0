import { hasUtf8Header } from '../../mail/header-bytes'
import { isServiceError } from '../../protocol/error'
import type { Core } from '../core/context'
import {
  type Delivery,
  type DeliveryOutcome,
  dropDelivery,
  readDelivery,
  recordOutcomes,
} from '../core/deliveries'
import { isReceivedHere } from '../core/domain-hosts'
import type { Ingest } from '../core/ingest'
import { createJobRunner, type JobRunner } from '../core/job-runner'
import type { Job } from '../core/jobs'
import { holdWhilePaused } from '../core/paused-jobs'
import { isHardBounce } from './outcome'
import type { Transport } from './transport'

export interface DeliveryWorkerOptions {
  core: Core
  ingest: Ingest
  /** The way out for everything that has no inbox here. */
  transport: Transport
  /** How many jobs run at once. */
  concurrency?: number
}

const mailOf = ({ mailFrom, recipients, raw }: Delivery) => ({ mailFrom, recipients, raw })

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
          return {
            recipient,
            outcome: gone ? 'bounced' : 'deferred',
            detail: String((error as Error).message),
            isHard: gone && (error.code === 'mailbox_unavailable' || error.code === 'address_retired'),
          }
        },
      ),
    ),
  )
}

/** Carries out what is due on the way out, and writes down how it went. */
export function createDeliveryWorker({
  core,
  ingest,
  transport,
  concurrency = 20,
}: DeliveryWorkerOptions): JobRunner {
  const carry = async (delivery: Delivery, signal: AbortSignal): Promise<DeliveryOutcome[]> =>
    (await isReceivedHere(core, delivery.domain))
      ? deliverHere(ingest, delivery)
      : transport
          .send({ ...mailOf(delivery), smtpUtf8Needed: hasUtf8Header(delivery.raw) }, signal)
          .then((outcomes) =>
            outcomes.map((one) => ({
              recipient: one.recipient,
              outcome: one.outcome,
              detail: one.response,
              isHard: isHardBounce(one),
            })),
          )

  async function work(job: Job, signal: AbortSignal): Promise<void> {
    if (await holdWhilePaused(core, job)) return
    const delivery = await readDelivery(core, job)
    if (delivery) await recordOutcomes(core, job, await carry(delivery, signal))
    else await dropDelivery(core, job)
  }

  const runner = createJobRunner({ core, queue: 'delivery', work, concurrency })
  return {
    async close(graceMs) {
      await runner.close(graceMs)
      await transport.close()
    },
  }
}
