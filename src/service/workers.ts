import { createConnectedTransport } from './connections/transport'
import { createConnectionWorker } from './connections/worker'
import { recheckDomain } from './domains/domain-check'
import { eraseByJob } from './erasure/erase'
import { EraseSweeper } from './erasure/erase-sweep'
import { readTextsByJob } from './extraction/text-job'
import type { HousekeepingPorts } from './housekeeping/housekeeping'
import { Housekeeper } from './housekeeping/housekeeping'
import type { Ingest } from './inbound/ingest'
import { createJobRunner } from './jobs/job-runner'
import { expireUpload } from './messages/uploads'
import type { Transport } from './outbound/delivery/transport'
import { createDeliveryWorker } from './outbound/delivery/worker'
import { sendScheduledDraft } from './outbound/drafts/due'
import type { PostToEndpoint } from './ports'
import { SearchIndexer } from './search/indexer'
import { reindexByJob } from './search/reindex-job'
import { embedByJob } from './search/semantic/embed-account'
import { IdlePeriods } from './search/semantic/idle-period'
import { runHoldJob } from './takeover/hold-operations'
import { WebhookDispatcher } from './webhooks/dispatcher'

interface WorkersOptions {
  ports: HousekeepingPorts
  ingest: Ingest
  transport: Transport
  /** Ports of embedding messages. */
  embedding: Parameters<typeof embedByJob>[0]
  /** Replaces HTTP with the address guard. */
  post: PostToEndpoint | undefined
  onAttempt: ConstructorParameters<typeof WebhookDispatcher>[0]['onAttempt']
}

/** All background work of a service, until it is closed. */
export interface Workers {
  readonly eraser: EraseSweeper
  /** Checks a connected mailbox at once for messages that were sent elsewhere. */
  look(connectionId: string): Promise<void>
  close(): Promise<void>
}

/** Starts the background work: queues, webhooks, indexing, connections, retention. */
export function startWorkers({
  ports,
  ingest,
  transport,
  embedding,
  post,
  onAttempt,
}: WorkersOptions): Workers {
  const eraser = new EraseSweeper(ports)
  const connections = createConnectionWorker(ports)
  const idlePeriods = new IdlePeriods(ports)
  const workers = [
    idlePeriods,
    eraser,
    connections,
    createDeliveryWorker({ ports, ingest, transport: createConnectedTransport(ports, transport) }),
    createJobRunner({ ports, queue: 'drafts', work: (job) => sendScheduledDraft(ports, job) }),
    createJobRunner({ ports, queue: 'holds', work: (job) => runHoldJob(ports, job) }),
    createJobRunner({ ports, queue: 'domains', concurrency: 5, work: (job) => recheckDomain(ports, job) }),
    createJobRunner({ ports, queue: 'uploads', work: (job) => expireUpload(ports, job) }),
    createJobRunner({
      ports,
      queue: 'erase',
      concurrency: 2,
      work: (job, signal) => eraseByJob(ports, job, signal),
    }),
    createJobRunner({
      ports,
      queue: 'embeddings',
      concurrency: 1,
      work: (job, signal) => embedByJob({ ...embedding, idle: idlePeriods.wait }, job, signal),
    }),
    // One file at a time: what somebody asks for gets its turn between two files.
    createJobRunner({
      ports,
      queue: 'texts',
      concurrency: 1,
      work: (job, signal) => readTextsByJob(ports, job, signal),
    }),
    createJobRunner({ ports, queue: 'words', concurrency: 1, work: (job) => reindexByJob(ports, job) }),
    new WebhookDispatcher({ ports, resolver: ports.resolver, post, onAttempt }),
    new SearchIndexer(ports, embedding.threads),
    new Housekeeper(ports),
  ]
  return {
    eraser,
    look: connections.look,
    async close() {
      await Promise.all(workers.map((worker) => worker.close()))
    },
  }
}
