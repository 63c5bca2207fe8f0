import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { ServiceOptions } from 'restante/service'
import { connectLibsql, openLibsql } from '../../src/service/store/libsql-database'
import { connectPostgres } from '../../src/service/store/open-postgres'
import type { Database } from '../../src/service/store/tables/schema'

/** The database of a service that runs on it, for what no call of the interface does. */
export async function openBeside(options: ServiceOptions): Promise<Kysely<Database>> {
  if (options.databaseUrl !== undefined) return connectPostgres(options.databaseUrl)
  const database = openLibsql(join(options.data!, 'restante.sqlite'))
  database.exec('pragma busy_timeout = 5000') // the service may be writing
  return connectLibsql(database)
}
