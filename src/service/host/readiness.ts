import { sql } from 'kysely'
import type { HostPorts } from './ports'
import type { StorageWatch } from './storage'

const databaseMs = 2_000

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
}

async function databaseAnswers({ store, clock }: HostPorts): Promise<boolean> {
  let cancel = () => {}
  const late = new Promise<boolean>((resolve) => {
    cancel = clock.background(databaseMs, () => resolve(false))
  })
  const asked = sql`select 1`.execute(store.db).then(
    () => true,
    () => false,
  )
  return Promise.race([asked, late]).finally(cancel)
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

/** Looks at what the service needs now; its tables are there since it was made. */
export async function readReadiness(
  ports: HostPorts,
  storage: StorageWatch,
  smtp: Readiness['smtp'],
): Promise<Readiness> {
  const database = await databaseAnswers(ports)
  const [canWrite, parser] = await Promise.all([database && storage.canWrite(), ports.parser.canRead()])
  const connections = database ? await readConnections(ports) : {}
  // Of a database that does not answer nobody knows whether it could write.
  const parts = { database, storage: canWrite || !database, parser, smtp }
  return Object.keys(connections).length > 0 ? { ...parts, connections } : parts
}
