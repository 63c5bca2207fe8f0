import { sql } from 'kysely'
import type { HttpPorts } from '../http/handlers/ports'
import type { Clock } from '../ports'
import type { StorageWatch } from './storage'

const databaseMs = 2_000
const maxSkewMs = 5_000

/** State of the parts that the service depends on: true if it works. */
interface Readiness {
  database: boolean
  /** True if data can be written. */
  storage: boolean
  /** True if messages can be parsed. */
  parser: boolean
  /** True if the SMTP receiver is open; `off` if it is disabled. */
  smtp: boolean | 'off'
  /**
   * Numbers of connected mailboxes by state, if there are any. Failing ones do not make the service unready.
   */
  connections?: Record<string, number>
  /**
   * Seconds that the clock of this machine is ahead of the database's, if more than five in either direction.
   * It does not make the service unready: leases use the database's clock, certificates and logs this one.
   */
  clock_skew_seconds?: number
}

/** Resolves to `otherwise` if the promise takes longer than `maxMs` or fails. */
function within<T>(clock: Clock, maxMs: number, asked: Promise<T>, otherwise: T): Promise<T> {
  let cancel = () => {}
  const late = new Promise<T>((resolve) => {
    cancel = clock.background(maxMs, () => resolve(otherwise))
  })
  const answered = asked.catch(() => otherwise)
  return Promise.race([answered, late]).finally(() => cancel())
}

/** Returns the number of connected mailboxes in each state. */
export async function readConnections({ store }: Pick<HttpPorts, 'store'>): Promise<Record<string, number>> {
  const rows = await store.db
    .selectFrom('connections')
    .select((row) => ['state', row.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]))
}

/**
 * Returns the reported skew in seconds; undefined if it is small, or the database has no clock of its own.
 */
function reportedSkew({ store }: Pick<HttpPorts, 'store'>): number | undefined {
  const skewMs = store.clock?.skewMs() ?? 0
  return Math.abs(skewMs) > maxSkewMs ? Math.round(skewMs / 1_000) : undefined
}

/**
 * Creates the readiness check. It answers in less than five seconds, whatever the database does. The tables
 * exist before it is created.
 */
export function createReadiness(
  ports: HttpPorts,
  storage: StorageWatch,
  smtp: () => Readiness['smtp'],
): () => Promise<Readiness> {
  const { store, clock } = ports
  let asked: Promise<boolean> | undefined
  /** Shares one query among all callers, so that a silent database holds only one connection. */
  const ask = () =>
    (asked ??= sql`select 1`
      .execute(store.db)
      .then(() => true)
      .finally(() => {
        asked = undefined
      }))
  return async () => {
    const database = await within(clock, databaseMs, ask(), false)
    const [canWrite, parser, connections] = await Promise.all([
      database && storage.canWrite(),
      within(clock, databaseMs, ports.parser.canRead(), false),
      database ? within(clock, databaseMs, readConnections(ports), {}) : {},
    ])
    const skew = database ? reportedSkew(ports) : undefined
    return {
      database,
      // If the database does not answer, storage is not the reported problem.
      storage: canWrite || !database,
      parser,
      smtp: smtp(),
      ...(Object.keys(connections).length > 0 && { connections }),
      ...(skew !== undefined && { clock_skew_seconds: skew }),
    }
  }
}
