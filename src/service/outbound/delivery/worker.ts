import { senderDomain } from '../../../mail/headers/address'
import { oneSender } from '../../../mail/headers/address-list'
import { hasUtf8Header } from '../../../mail/headers/header-bytes'
import { readHeaders } from '../../../mail/headers/header-reader'
import { isServiceError } from '../../../protocol/errors/error'
import type { Authentication } from '../../../protocol/records/message'
import { traced } from '../../../protocol/trace'
import { outageOf } from '../../base/outage'
import { receivedHere } from '../../domains/domain-hosts'
import { holdWhilePaused } from '../../jobs/held-jobs'
import type { JobRunner } from '../../jobs/job-runner'
import type { Job } from '../../jobs/jobs'
import {
  type Delivery,
  type DeliveryOutcome,
  dropDelivery,
  readDelivery,
  recordOutcomes,
  recordTaken,
} from './deliveries'
import type { RecipientOutcome } from './outcome'
import type { OutboundPorts } from './ports'
import { createDeliveryQueue } from './queue'
import { isHardBounce, reasonOf, renamedTo } from './reason'
import { feedbackOf, type Site } from './site'
import type { Settle, Transport } from './transport'

/** Ingests a message to an inbox of this service like any other; rejects with the refusal. */
type Ingest = (
  envelope: {
    mailFrom: string
    recipients: readonly string[]
    authentication: Authentication
    judgedDomain: string | null
  },
  raw: Uint8Array,
) => Promise<unknown>

interface DeliveryWorkerOptions {
  ports: OutboundPorts
  ingest: Ingest
  /** Transport for everything that has no inbox here. */
  transport: Transport
  /** Jobs that run at once. */
  concurrency?: number
}

const maxHeaderBytes = 256 * 1024

/** Site of everything that has an inbox here. */
const here = ''

/**
 * Authentication of internal messages: they never left the service, where nobody can send in the name of
 * another's inbox.
 */
const written: Authentication = {
  ...{ spf: 'none', dkim: 'none', dmarc: 'none', arc: 'none' },
  ...{ from_verified: true, spf_aligned: true, signed_fields: [] },
}

/** Refusals of a full mailbox: the message is tried again. */
const fullCodes: ReadonlySet<string> = new Set(['quota_exceeded', 'storage_limit_reached'])

/** Delivers to inboxes of this service like any other inbound message. */
async function deliverHere(
  ingest: Ingest,
  { mailFrom, recipients, raw }: Delivery,
): Promise<DeliveryOutcome[]> {
  const { fields } = readHeaders(raw, maxHeaderBytes)
  const judgedDomain = senderDomain(oneSender(fields)?.address ?? '')
  const judged = { authentication: written, judgedDomain }
  return Promise.all(
    recipients.map((recipient) =>
      ingest({ mailFrom, recipients: [recipient], ...judged }, raw).then(
        (): DeliveryOutcome => ({ recipient, outcome: 'delivered', detail: 'delivered here' }),
        (error): DeliveryOutcome => {
          const isFull = isServiceError(error) && fullCodes.has(error.code)
          const gone = isServiceError(error) && !isFull && error.status < 500
          const isHard = gone && (error.code === 'mailbox_unavailable' || error.code === 'address_retired')
          return {
            recipient,
            outcome: gone ? 'bounced' : 'deferred',
            detail: String((error as Error).message),
            reason: isHard ? 'unknown_address' : gone ? 'policy' : isFull ? 'mailbox_full' : 'other',
            isHard,
          }
        },
      ),
    ),
  )
}

const outcomeOf = (one: RecipientOutcome): DeliveryOutcome => ({
  recipient: one.recipient,
  outcome: one.outcome,
  detail: one.detail,
  reason: reasonOf(one),
  isHard: isHardBounce(one),
  renamedTo: renamedTo(one),
  ...(one.retryAfterMs !== undefined && { retryAfterMs: one.retryAfterMs }),
  ...(one.isOverLimit && { isOverLimit: true }),
})

/** Pause in ms before outcomes are stored again, while the database is unreachable. */
const againMs = 500

class OutgoingDeliveries implements JobRunner {
  readonly #ports
  readonly #ingest
  readonly #transport
  readonly #queue

  constructor({ ports, ingest, transport, concurrency }: DeliveryWorkerOptions) {
    this.#ports = ports
    this.#ingest = ingest
    this.#transport = transport
    this.#queue = createDeliveryQueue({
      ports,
      sitesOf: this.#sitesOf,
      work: this.#work,
      ...(concurrency && { concurrency }),
    })
  }

  readonly close: JobRunner['close'] = async (graceMs) => {
    await this.#queue.close(graceMs)
    await this.#transport.close()
  }

  readonly #sitesOf = async (destinations: readonly string[]): Promise<string[]> => {
    const isHere = await receivedHere(this.#ports, destinations)
    return destinations.map((destination, i) => (isHere[i] ? here : this.#transport.siteOf(destination)))
  }

  readonly #work = async (job: Job, site: Site, signal: AbortSignal): Promise<void> => {
    if (await holdWhilePaused(this.#ports, job)) return
    const delivery = await readDelivery(this.#ports, job)
    if (!delivery) return dropDelivery(this.#ports, job)
    const { messageId, traceparent: about } = delivery
    const attributes = { 'restante.message_id': messageId }
    const span = { kind: 'producer', root: true, attributes, about } as const
    const outcomes = await traced('attempt delivery', span, () => this.#carry(delivery, site, signal))
    await this.#insist(() => recordOutcomes(this.#ports, job, outcomes), signal)
  }

  #pause(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        cancel()
        signal.removeEventListener('abort', end)
        resolve()
      }
      const cancel = this.#ports.clock.background(againMs, end)
      signal.addEventListener('abort', end)
    })
  }

  /**
   * Stores the outcomes of a sent message, repeatedly while the database is unreachable: otherwise it would
   * be sent twice. Storing them twice has no effect.
   */
  async #insist(write: () => Promise<void>, signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        if (signal.aborted || !outageOf(error)) throw error
        this.#ports.logger.warn({ error }, 'the result of a delivery could not be stored')
      }
      await this.#pause(signal)
    }
  }

  async #sendOut(delivery: Delivery, site: Site, signal: AbortSignal): Promise<RecipientOutcome[]> {
    const { job, envelopeSender: mailFrom, recipients, raw } = delivery
    const nowMs = this.#ports.clock.now()
    if (site.isClosed(nowMs)) return recipients.map((recipient) => ({ recipient, ...site.refusal(nowMs) }))
    const { connection } = delivery
    const mail = { mailFrom, recipients, raw, smtpUtf8Needed: hasUtf8Header(raw), connection }
    const settle: Settle = (taken) =>
      this.#insist(() => recordTaken(this.#ports, job, taken.map(outcomeOf)), signal)
    const outcomes = await this.#transport.send(mail, signal, settle)
    site.report(feedbackOf(outcomes), outcomes[0]?.detail ?? '', this.#ports.clock.now())
    return outcomes
  }

  async #carry(delivery: Delivery, site: Site, signal: AbortSignal): Promise<DeliveryOutcome[]> {
    const { suppressed, recipients } = delivery
    if (recipients.length === 0) return suppressed
    const [isHere] = await receivedHere(this.#ports, [delivery.domain])
    const outcomes = isHere
      ? await deliverHere(this.#ingest, delivery)
      : (await this.#sendOut(delivery, site, signal)).map(outcomeOf)
    return [...suppressed, ...outcomes]
  }
}

/** Creates the worker that runs due deliveries, and stores their outcomes. */
export const createDeliveryWorker = (options: DeliveryWorkerOptions): JobRunner =>
  new OutgoingDeliveries(options)
