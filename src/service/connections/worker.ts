import type { Transaction } from 'kysely'
import { isServiceError } from '../../protocol/errors'
import { loadLater, now, timeOf } from '../base'
import { createJobRunner, finishJob, holdsJob, type Job, postponeJob, queueTopic } from '../jobs'
import type { Database } from '../store/tables'
import { MailSourceError } from './mail-source'
import type { ConnectionPorts } from './ports'
import type { ConnectionRow } from './records'
import type { LookRequests } from './session'

const loadSession = loadLater(() => import('./session'))

const secondMs = 1_000
/** The connections that one node works at once. */
const maxRunning = 500
/** The pauses before the next attempt. Providers lock those out who come back with a login that they refused. */
const pausesMs: Record<MailSourceError['kind'], readonly number[]> = {
  lost: [1, 2, 5, 15, 30, 60, 120, 300].map((seconds) => seconds * secondMs),
  refused: [1, 2, 5, 15, 30, 60, 120, 300].map((seconds) => seconds * secondMs),
  unreachable: [1, 2, 5, 15, 30, 60, 120, 300].map((seconds) => seconds * secondMs),
  no_folder: [60, 300, 900].map((seconds) => seconds * secondMs),
  login_refused: [10, 60, 300, 900, 3_600].map((seconds) => seconds * secondMs),
  throttled: [60, 300, 900, 1_800, 3_600].map((seconds) => seconds * secondMs),
}
/** The pauses after a refusal that somebody has to end, such as that of a full account. */
const refusedPausesMs = [60, 300, 900].map((seconds) => seconds * secondMs)
/** A connection that was live for so long was sound: what happens to it then is a new failure. */
const soundMs = 5_000
/** The longest that a reply waits for a look at what a person sent. */
const lookMs = 2_000

/** The pause after as many failures, a little less each time by chance, so that not all come back at once. */
function pauseOf(error: unknown, failures: number): number {
  const pauses = isServiceError(error)
    ? refusedPausesMs
    : pausesMs[error instanceof MailSourceError ? error.kind : 'lost']
  const pauseMs = pauses[Math.min(failures, pauses.length) - 1] ?? secondMs
  return pauseMs * (0.75 + Math.random() / 4)
}

/** Works the connections of this node: one at a time has the lease of each. */
export interface ConnectionWorker {
  /** Looks at what a person sent from a mailbox, where this node works it; never takes long, never rejects. */
  look(connectionId: string): Promise<void>
  close(): Promise<void>
}

/** Requests to look at what a person sent, of one connection that this node works. */
class Requests implements LookRequests {
  #waiting: (() => void)[] = []
  #listener = () => {}

  get isAsked(): boolean {
    return this.#waiting.length > 0
  }

  take(): (() => void)[] {
    const taken = this.#waiting
    this.#waiting = []
    return taken
  }

  onRequest(listener: () => void): () => void {
    this.#listener = listener
    if (this.#waiting.length > 0) listener()
    return () => {
      this.#listener = () => {}
    }
  }

  /** Resolves once a look that began later is over. */
  look(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#listener()
    })
  }
}

const readRow = (ports: ConnectionPorts, job: Job): Promise<ConnectionRow | undefined> =>
  ports.store.db
    .selectFrom('connections')
    .selectAll()
    .where('tenant_id', '=', job.tenant_id)
    .where('id', '=', (JSON.parse(job.data) as { connectionId: string }).connectionId)
    .executeTakeFirst()

/** Topic that ends or begins anew the session of a connection that was changed or deleted. */
export const changedTopic = (connectionId: string): string => `connection:${connectionId}`

export function createConnectionWorker(ports: ConnectionPorts): ConnectionWorker {
  const running = new Map<string, Requests>()
  const stopping = new AbortController()

  /** Writes down a failure, and when it is tried again. */
  async function fail(job: Job, row: ConnectionRow, error: unknown): Promise<void> {
    const { wordsOf } = await loadSession()
    const nowMs = ports.clock.now()
    const wasLive = row.live_since !== null && nowMs - Date.parse(row.live_since) >= soundMs
    const failures = (wasLive ? 0 : row.failures) + 1
    const pauseMs = pauseOf(error, failures)
    const next_attempt_at = timeOf(nowMs + pauseMs)
    if (!(error instanceof MailSourceError || isServiceError(error)))
      ports.logger.error({ error, connection: row.id }, 'a connected mailbox failed')
    await ports.store.write(async (tx) => {
      if (!(await postponeJob(tx, job, next_attempt_at))) return
      await tx
        .updateTable('connections')
        .set({
          state: 'failing',
          error: wordsOf(error),
          failures,
          next_attempt_at,
          live_since: null,
          failing_since: row.failing_since ?? now(ports),
        })
        .where('tenant_id', '=', row.tenant_id)
        .where('id', '=', row.id)
        .execute()
    })
    ports.clock.background(pauseMs, () => ports.signals.publish(queueTopic('connections')))
  }

  async function endWell(job: Job, row: ConnectionRow): Promise<void> {
    await ports.store.write(async (tx) => {
      if (!(await postponeJob(tx, job, now(ports)))) return
      await tx
        .updateTable('connections')
        .set({ state: 'connecting', live_since: null })
        .where('tenant_id', '=', row.tenant_id)
        .where('id', '=', row.id)
        .execute()
    })
  }

  /** @throws MailSourceError `lost` */
  async function requireLease(tx: Transaction<Database>, job: Job): Promise<void> {
    if (!(await holdsJob(ports, tx, job)))
      throw new MailSourceError('lost', 'The connection was changed meanwhile.')
  }

  async function work(job: Job, lost: AbortSignal): Promise<void> {
    const row = await readRow(ports, job)
    if (!row) {
      await ports.store.write((tx) => finishJob(tx, job))
      return
    }
    const requests = new Requests()
    const changed = new AbortController()
    const unsubscribe = ports.signals.subscribe(changedTopic(row.id), () => changed.abort())
    running.set(row.id, requests)
    if (running.size === maxRunning)
      ports.logger.warn(
        { connections: maxRunning },
        'this node works as many connected mailboxes as it can: others wait, run another node',
      )
    const { runSession } = await loadSession()
    const signal = AbortSignal.any([lost, stopping.signal, changed.signal])
    // The first state is that of a connection that is being made.
    Object.assign(row, { live_since: null })
    try {
      await runSession({ ports, row, requests, requireLease: (tx) => requireLease(tx, job), signal })
      if (lost.aborted) return
      await endWell(job, row)
      if (changed.signal.aborted) ports.signals.publish(queueTopic('connections'))
    } catch (error) {
      await fail(job, row, error)
    } finally {
      unsubscribe()
      if (running.get(row.id) === requests) running.delete(row.id)
    }
  }

  const runner = createJobRunner({ ports, queue: 'connections', concurrency: maxRunning, work })

  return {
    async look(connectionId) {
      const requests = running.get(connectionId)
      if (!requests) return
      let cancel = () => {}
      const late = new Promise<void>((resolve) => {
        cancel = ports.clock.background(lookMs, resolve)
      })
      await Promise.race([requests.look(), late]).finally(cancel)
    },
    async close() {
      stopping.abort()
      await runner.close()
    },
  }
}
