import { openPostgres } from './open-postgres'
import { openSqlite } from './open-sqlite'
import type { Store } from './store'

/** Opens the database that the settings name. @throws UsageError `data_folder_in_use`, `data_folder_unusable`, `database_unreachable` */
export const openStore = ({
  databaseUrl,
  data,
}: {
  databaseUrl?: string | undefined
  data?: string | undefined
}): Promise<Store> => (databaseUrl === undefined ? openSqlite(data) : openPostgres(databaseUrl))
