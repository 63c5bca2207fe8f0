import { postgresFolders } from '../../bench/own-servers.mjs'
import { isMissing } from './program'

export { type OwnPostgres, startPostgres as startOwnPostgres } from '../../bench/own-servers.mjs'

export const postgresIsMissing = (): boolean => isMissing('initdb', postgresFolders)
