import { sql } from 'kysely'
import type { Clock } from '../ports'
import type { HostPorts } from './ports'
import type { StorageWatch } from './storage'

const databaseMs = 2_000
const maxSkewMs = 5_000

/** The parts that the service needs to do its work: true where it has them. */
interface Readiness {
  database: boolean
  /** True where what is written can be kept. */
  storage: boolean
  /** True where mail can be read. */
  parser: boolean
  /** True where the SMTP door is open; `off` where none is wanted. */
  smtp: boolean | 'off'
  /** Connected mailboxes by state, where there are any: one that fails is no failure of the service. */
  connections?: Record<string, number>
  /**
   * How far the clock of this machine is ahead of the database's, if that is more than five seconds. Leases go by the
   * database's clock, so it is no failure; certificates and logs go by this one.
   */
  clock_skew_seconds?: number
}

/** Resolves to `otherwise` if an answer takes longer, or is a failure. */
function within<T>(clock: Clock, maxMs: number, asked: Promise<T>, otherwise: T): Promise<T> {
  let cancel = () => {}
  const late = new Promise<T>((resolve) => {
    cancel = clock.background(maxMs, () => resolve(otherwise))
  })
  const answered = asked.catch(() => otherwise)
  return Promise.race([answered, late]).finally(() => cancel())
}

/** The states of all connected mailboxes, with how many are in each. */
export async function readConnections({ store }: Pick<HostPorts, 'store'>): Promise<Record<string, number>> {
  const rows = await store.db
    .selectFrom('connections')
    .select((row) => ['state', row.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]))
}

/** The skew that is reported, in seconds; none where the clock of this machine is right, or the only one. */
function reportedSkew({ store }: Pick<HostPorts, 'store'>): number | undefined {
  const skewMs = store.clock?.skewMs() ?? 0
  return Math.abs(skewMs) > maxSkewMs ? Math.round(skewMs / 1_000) : undefined
}

/**
 * Makes the look at what the service needs now; its tables are there since it was made. An answer takes less than five
 * seconds, whatever the database does.
 */
export function createReadiness(
  ports: HostPorts,
  storage: StorageWatch,
  smtp: () => Readiness['smtp'],
): () => Promise<Readiness> {
  const { store, clock } = ports
  let asked: Promise<boolean> | undefined
  /** Asks once at a time: a database that is silent holds one connection for all who ask. */
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
      ports.parser.canRead(),
      database ? within(clock, databaseMs, readConnections(ports), {}) : {},
    ])
    const skew = database ? reportedSkew(ports) : undefined
    return {
      database,
      // Of a database that does not answer nobody knows whether it could write.
      storage: canWrite || !database,
      parser,
      smtp: smtp(),
      ...(Object.keys(connections).length > 0 && { connections }),
      ...(skew !== undefined && { clock_skew_seconds: skew }),
    }
  }
}
