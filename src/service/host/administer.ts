import { z } from 'zod'
import { isRestanteError } from '../../protocol/errors'
import { account } from '../../protocol/records'
import { Admissions, type ChangePorts, type PlanTable } from '../accounts'
import { systemClock } from '../base'
import type { EraseSweeper } from '../erasure'
import { createMailParser } from '../inbound'
import { holdRestoredJobs, releaseRestoredJobs } from '../jobs'
import { createLocalSignals } from '../log'
import { openBlobs, openStore } from '../store'
import { type Admin, createAdmin } from './admin'
import { type AdminCommand, callAdmin } from './admin-channel'
import { joinRooms } from './join-rooms'
import { type Reparsed, type ReparsePorts, reparse } from './reparse'

/** An order of the host on an account. */
const order = z.discriminatedUnion('command', [
  z.object({ command: z.literal('plan'), account: z.string(), plan: z.string() }),
  z.object({ command: z.enum(['pause', 'resume', 'suspend', 'unsuspend', 'erase']), account: z.string() }),
])
export type AdminOrder = z.infer<typeof order>

/** Orders of the host on all mail that waits to be sent. */
const waitingOrders = {
  hold: ({ store }: ChangePorts) => holdRestoredJobs(store),
  'send-held': (ground: ChangePorts) => releaseRestoredJobs(ground),
}
export type WaitingOrder = keyof typeof waitingOrders
const waitingAnswer = z.object({ jobs: z.number() })

const carryOut = (admin: Admin, asked: AdminOrder) =>
  asked.command === 'plan' ? admin.plan(asked.account, asked.plan) : admin[asked.command](asked.account)

/** The commands on accounts, for the channel of the host. */
export const accountCommands = (admin: Admin): Record<AdminOrder['command'], AdminCommand> => {
  const one =
    (command: AdminOrder['command']): AdminCommand =>
    (request) =>
      carryOut(admin, order.parse({ ...request, command }))
  return {
    plan: one('plan'),
    pause: one('pause'),
    resume: one('resume'),
    suspend: one('suspend'),
    unsuspend: one('unsuspend'),
    erase: one('erase'),
  }
}

/** The commands on mail that waits, for the channel of the host. */
export const waitingCommands = (ground: ChangePorts): Record<WaitingOrder, AdminCommand> => ({
  hold: async () => ({ jobs: await waitingOrders.hold(ground) }),
  'send-held': async () => ({ jobs: await waitingOrders['send-held'](ground) }),
})

const reparseOrder = z.object({ account: z.string().optional() })
const reparseAnswer = z.object({ read: z.number(), unread: z.number() })

/** The command on mails whose reading failed, for the channel of the host. */
export const reparseCommands = (ports: ReparsePorts): Record<'reparse', AdminCommand> => ({
  reparse: (request) => reparse(ports, reparseOrder.parse(request).account),
})

/** The command of a backup to the service that runs, for the channel of the host. */
export const backupCommands = (eraser: EraseSweeper): Record<string, AdminCommand> => ({
  async 'hold-blobs'({ for_ms }) {
    await eraser.hold(Math.min(Math.max(Number(for_ms) || 0, 0), 10 * 60_000))
    return {}
  },
})

/** The service that is meant: that on a data folder, or those on a database. */
interface Place {
  data?: string | undefined
  databaseUrl?: string | undefined
  plans: PlanTable
}

/** Null where no service runs on the folder. */
const askRunning = (folder: string, asked: { command: string }) =>
  callAdmin(folder, asked).catch((error) => {
    if (isRestanteError(error) && error.code === 'service_not_running') return null
    throw error
  })

/**
 * Asks the service that runs on the data folder; where none does, works on the database itself, as with PostgreSQL, where
 * the services that run see it with the next request, at SMTP within a second, on open sockets and in the queues within
 * five.
 */
async function carryOutAnywhere(
  place: Place,
  asked: { command: string },
  work: (ground: ChangePorts) => Promise<object>,
): Promise<object> {
  const { databaseUrl, data, plans } = place
  const answered = databaseUrl === undefined && data !== undefined ? await askRunning(data, asked) : null
  if (answered) return answered
  const store = await openStore(place)
  const signals = createLocalSignals()
  const registry = joinRooms()
  const admissions = new Admissions()
  const ground = { store, clock: systemClock, signals, registry, admissions, settings: { plans } }
  return work(ground).finally(() => store.close())
}

/**
 * Carries out an order of the host on an account, whether a service runs or not.
 *
 * @throws RestanteError `account_not_found`, `invalid_request`. UsageError where the database cannot be opened
 */
export const administer = async (place: Place, asked: AdminOrder) =>
  account.parse(await carryOutAnywhere(place, asked, (ground) => carryOut(createAdmin(ground), asked)))

/**
 * Holds the mail that waits to be sent, as in a database that was restored, or lets go what was held; how many mails.
 *
 * @throws UsageError where the database cannot be opened
 */
export async function administerWaiting(place: Place, command: WaitingOrder): Promise<number> {
  const work = async (ground: ChangePorts) => ({ jobs: await waitingOrders[command](ground) })
  return waitingAnswer.parse(await carryOutAnywhere(place, { command }, work)).jobs
}

/**
 * Reads the stored mails again whose reading failed, of one account or of all.
 *
 * @throws RestanteError `account_not_found`. UsageError where the database cannot be opened
 */
export async function administerReparse(place: Place, account?: string): Promise<Reparsed> {
  const work = (ground: ChangePorts) => {
    const parser = createMailParser()
    const blobs = openBlobs(ground.store, place.data)
    return reparse({ ...ground, parser, blobs }, account).finally(() => parser.close())
  }
  return reparseAnswer.parse(
    await carryOutAnywhere(place, { command: 'reparse', ...(account && { account }) }, work),
  )
}
