import { createConnectedTransport, createConnectionWorker } from './connections'
import { recheckDomain } from './domains'
import { EraseSweeper, eraseByJob } from './erasure'
import { type HostPorts, Housekeeper } from './host'
import { type Ingest, StoredVerdicts } from './inbound'
import { createJobRunner } from './jobs'
import { expireUpload } from './messages'
import { createDeliveryWorker, type Transport } from './outbound/delivery'
import { sendScheduledDraft } from './outbound/drafts'
import type { PostToEndpoint } from './ports'
import { SearchIndexer } from './search'
import { embedByJob, Lulls } from './search/semantic'
import { WebhookDispatcher } from './webhooks'

interface WorkersOptions {
  ports: HostPorts
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
  const lulls = new Lulls(ports)
  const workers = [
    lulls,
    eraser,
    connections,
    createDeliveryWorker({ ports, takeIn: ingest, transport: createConnectedTransport(ports, transport) }),
    createJobRunner({ ports, queue: 'drafts', work: (job) => sendScheduledDraft(ports, job) }),
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
      work: (job, signal) => embedByJob({ ...embedding, lull: lulls.wait }, job, signal),
    }),
    new WebhookDispatcher({ ports, resolver: ports.resolver, post, onAttempt }),
    new SearchIndexer(ports),
    new Housekeeper(ports),
    new StoredVerdicts(ports),
  ]
  return {
    eraser,
    look: connections.look,
    async close() {
      await Promise.all(workers.map((worker) => worker.close()))
    },
  }
}
