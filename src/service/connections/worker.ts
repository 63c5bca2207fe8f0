import type { Transaction } from 'kysely'
import { isServiceError } from '../../protocol/errors/error'
import { now, timeOf } from '../base/time'
import { createJobRunner } from '../jobs/job-runner'
import { finishJob, holdsJob, type Job, postponeJob, queueTopic } from '../jobs/jobs'
import type { Database } from '../store/tables/schema'
import type { ConnectionPorts } from './ports'
import type { ConnectionRow } from './records'
import { type LookRequests, runSession, wordsOf } from './session'
import { MailSourceError } from './source/mail-source'

const secondMs = 1_000
/** Connections that one node runs at once. */
const maxRunning = 500
/** Pauses before the next attempt. Providers lock out clients that repeat a refused login. */
const pausesMs: Record<MailSourceError['kind'], readonly number[]> = {
  lost: [1, 2, 5, 15, 30, 60, 120, 300].map((seconds) => seconds * secondMs),
  refused: [1, 2, 5, 15, 30, 60, 120, 300].map((seconds) => seconds * secondMs),
  unreachable: [1, 2, 5, 15, 30, 60, 120, 300].map((seconds) => seconds * secondMs),
  no_folder: [60, 300, 900].map((seconds) => seconds * secondMs),
  login_refused: [10, 60, 300, 900, 3_600].map((seconds) => seconds * secondMs),
  needs_sign_in: [3_600, 21_600].map((seconds) => seconds * secondMs),
  throttled: [60, 300, 900, 1_800, 3_600].map((seconds) => seconds * secondMs),
}
/** Pauses after a refusal that somebody has to resolve, such as a full account. */
const refusedPausesMs = [60, 300, 900].map((seconds) => seconds * secondMs)
/** Consecutive refused logins after which a person has to look: fewer may be an outage of the server. */
const maxRefusals = 3
/** Time in ms after which a live connection counts as sound: its next failure is a new one. */
const soundMs = 5_000
/** Maximum time in ms that a reply waits for messages sent by a person to be read. */
const lookMs = 2_000

/**
 * Returns the pause in ms after this many failures, reduced at random, so that connections do not all return
 * at once.
 */
function pauseOf(error: unknown, failures: number): number {
  const pauses = isServiceError(error)
    ? refusedPausesMs
    : pausesMs[error instanceof MailSourceError ? error.kind : 'lost']
  const pauseMs = pauses[Math.min(failures, pauses.length) - 1] ?? secondMs
  return pauseMs * (0.75 + Math.random() / 4)
}

const needsSignIn = (error: unknown, failures: number): boolean =>
  error instanceof MailSourceError &&
  (error.kind === 'needs_sign_in' || (error.kind === 'login_refused' && failures >= maxRefusals))

/** Runs the connections of this node, each under a lease. */
export interface ConnectionWorker {
  /** Reads messages sent by a person if this node runs the connection; takes at most 2 s, never rejects. */
  look(connectionId: string): Promise<void>
  close(): Promise<void>
}

/** Requests to read messages sent by a person, of one connection of this node. */
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

  /** Resolves once a read that began later is over. */
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

/** Topic that ends or restarts the session of a changed or deleted connection. */
export const changedTopic = (connectionId: string): string => `connection:${connectionId}`

class ConnectionSessions implements ConnectionWorker {
  readonly #ports: ConnectionPorts
  readonly #running = new Map<string, Requests>()
  readonly #stopping = new AbortController()
  readonly #runner

  constructor(ports: ConnectionPorts) {
    this.#ports = ports
    this.#runner = createJobRunner({ ports, queue: 'connections', concurrency: maxRunning, work: this.#work })
  }

  readonly look: ConnectionWorker['look'] = async (connectionId) => {
    const requests = this.#running.get(connectionId)
    if (!requests) return
    let cancel = () => {}
    const late = new Promise<void>((resolve) => {
      cancel = this.#ports.clock.background(lookMs, resolve)
    })
    await Promise.race([requests.look(), late]).finally(cancel)
  }

  readonly #work = async (job: Job, lost: AbortSignal): Promise<void> => {
    const row = await readRow(this.#ports, job)
    if (!row) {
      await this.#ports.store.write((tx) => finishJob(tx, job))
      return
    }
    const requests = new Requests()
    const changed = new AbortController()
    const unsubscribe = this.#ports.signals.subscribe(changedTopic(row.id), () => changed.abort())
    this.#running.set(row.id, requests)
    if (this.#running.size === maxRunning)
      this.#ports.logger.warn(
        { connections: maxRunning },
        'this node works as many connected mailboxes as it can: others wait, run another node',
      )
    const signal = AbortSignal.any([lost, this.#stopping.signal, changed.signal])
    // The row's value may be from an earlier session.
    Object.assign(row, { live_since: null })
    try {
      await runSession({
        ports: this.#ports,
        row,
        requests,
        requireLease: (tx) => this.#requireLease(tx, job),
        signal,
      })
      if (lost.aborted) return
      await this.#endWell(job, row)
      if (changed.signal.aborted) this.#ports.signals.publish(queueTopic('connections'))
    } catch (error) {
      await this.#fail(job, row, error)
    } finally {
      unsubscribe()
      if (this.#running.get(row.id) === requests) this.#running.delete(row.id)
    }
  }

  async close() {
    this.#stopping.abort()
    await this.#runner.close()
  }

  /** Stores a failure, and the time of the next attempt. */
  async #fail(job: Job, row: ConnectionRow, error: unknown): Promise<void> {
    const nowMs = this.#ports.clock.now()
    const wasLive = row.live_since !== null && nowMs - Date.parse(row.live_since) >= soundMs
    const failures = (wasLive ? 0 : row.failures) + 1
    const pauseMs = pauseOf(error, failures)
    const next_attempt_at = timeOf(nowMs + pauseMs)
    if (!(error instanceof MailSourceError || isServiceError(error)))
      this.#ports.logger.error({ error, connection: row.id }, 'a connected mailbox failed')
    await this.#ports.store.write(async (tx) => {
      if (!(await postponeJob(tx, job, next_attempt_at))) return
      await tx
        .updateTable('connections')
        .set({
          state: needsSignIn(error, failures) ? 'needs_sign_in' : 'failing',
          error: wordsOf(error),
          failures,
          next_attempt_at,
          live_since: null,
          failing_since: row.failing_since ?? now(this.#ports),
        })
        .where('tenant_id', '=', row.tenant_id)
        .where('id', '=', row.id)
        .execute()
    })
    this.#ports.clock.background(pauseMs, () => this.#ports.signals.publish(queueTopic('connections')))
  }

  async #endWell(job: Job, row: ConnectionRow): Promise<void> {
    await this.#ports.store.write(async (tx) => {
      if (!(await postponeJob(tx, job, now(this.#ports)))) return
      await tx
        .updateTable('connections')
        .set({ state: 'connecting', live_since: null })
        .where('tenant_id', '=', row.tenant_id)
        .where('id', '=', row.id)
        .execute()
    })
  }

  /** @throws MailSourceError `lost` */
  async #requireLease(tx: Transaction<Database>, job: Job): Promise<void> {
    if (!(await holdsJob(this.#ports, tx, job)))
      throw new MailSourceError('lost', 'The connection was changed meanwhile.')
  }
}

export const createConnectionWorker = (ports: ConnectionPorts): ConnectionWorker =>
  new ConnectionSessions(ports)
