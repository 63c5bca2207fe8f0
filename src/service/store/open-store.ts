import { randomUUID } from 'node:crypto'
import { openPostgres } from './open-postgres'
import { openSqlite, requireDatabase } from './open-sqlite'
import type { Store } from './store'

const key = 'database'

/** Returns the id of a database, the same on every node; it is created on first use. */
export async function databaseId({ db }: Store): Promise<string> {
  await db
    .insertInto('host')
    .values({ key, value: randomUUID() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { value } = await db
    .selectFrom('host')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  return value
}

/** The data folder, the URL of PostgreSQL, or neither for a database in memory. */
interface Place {
  databaseUrl?: string | undefined
  data?: string | undefined
}

/** Settings that determine the number of connections of a node. */
interface Node {
  databaseConnections?: number | undefined
  roles: ReadonlySet<keyof typeof connectionsOf>
}

/** Connections to PostgreSQL of a node with only one role. */
const connectionsOf = { smtp: 8, http: 12, work: 8 } as const
/**
 * Maximum per node: three nodes of all roles, with a connection each for LISTEN, leave a third of
 * PostgreSQL's hundred free.
 */
const maxConnections = 20

/**
 * Returns the bounds of each pool: half of the connections read, half write, so neither waits for the other.
 */
function boundsOf({ databaseConnections, roles }: Node) {
  const ofRoles = [...roles].reduce((sum, role) => sum + connectionsOf[role], 0)
  return { maxConnections: Math.ceil((databaseConnections ?? Math.min(ofRoles, maxConnections)) / 2) }
}

/**
 * Opens the database of the settings. @throws UsageError `data_folder_in_use`, `data_folder_unusable`,
 * `database_unreachable`
 */
export const openStore = ({ databaseUrl, data }: Place): Promise<Store> =>
  databaseUrl === undefined ? openSqlite(data) : openPostgres(databaseUrl)

/**
 * Opens the database of a node. An unreachable PostgreSQL is tried again for a minute.
 *
 * @param onWait Called with the reason, once.
 * @throws UsageError `data_folder_in_use`, `data_folder_unusable`, `database_unreachable`
 */
export const openNodeStore = (settings: Place & Node, onWait: (message: string) => void): Promise<Store> =>
  settings.databaseUrl === undefined
    ? openSqlite(settings.data)
    : openPostgres(settings.databaseUrl, { ...boundsOf(settings), onWait })

/**
 * Opens a database on which a service has run, as for administrator commands. @throws UsageError
 * `no_database`, and those of {@link openStore}
 */
export async function openExistingStore({ databaseUrl, data }: Place): Promise<Store> {
  if (databaseUrl !== undefined) return openPostgres(databaseUrl, { mustExist: true })
  if (data !== undefined) requireDatabase(data, ' With PostgreSQL, give --database-url.')
  return openSqlite(data)
}
