import { isRestanteError } from '../../protocol/errors'
import { type ChangePorts, KnownRecipients, type PlanTable } from '../accounts'
import { systemClock } from '../base'
import { createLocalSignals } from '../log'
import { openExistingStore } from '../store'
import { callAdmin } from './admin-channel'
import { joinRooms } from './join-rooms'

/** Service that a command addresses: the one on a data folder, or those on a database. */
export interface Place {
  data?: string | undefined
  databaseUrl?: string | undefined
  plans: PlanTable
}

/** Returns null if no service runs on the folder. */
const askRunning = (folder: string, asked: { command: string }, tell?: (facts: object) => void) =>
  callAdmin(folder, asked, tell).catch((error) => {
    if (isRestanteError(error) && error.code === 'service_not_running') return null
    throw error
  })

/**
 * Runs a command in the service on the data folder. If none runs, or with PostgreSQL, works on the database
 * itself. Services on PostgreSQL notice the change:
 * - for requests: with the next one
 * - at SMTP: within a second
 * - on open sockets and in the queues: within five seconds
 *
 * @param tell Called with the progress of a running service; `work` reports its own.
 * @throws UsageError `no_database` if there is none, or an error of opening it
 */
export async function carryOutAnywhere(
  place: Place,
  asked: { command: string } & Record<string, unknown>,
  work: (ground: ChangePorts) => Promise<object | undefined>,
  tell?: (facts: object) => void,
): Promise<object> {
  const { databaseUrl, data, plans } = place
  const answered =
    databaseUrl === undefined && data !== undefined ? await askRunning(data, asked, tell) : null
  if (answered) return answered
  const store = await openExistingStore(place)
  const signals = createLocalSignals()
  const registry = joinRooms()
  const knownRecipients = new KnownRecipients()
  const ground = {
    store,
    clock: store.clock ?? systemClock,
    signals,
    registry,
    knownRecipients,
    settings: { plans },
  }
  return (await work(ground).finally(() => store.close())) ?? {}
}
