import { z } from 'zod'
import { account } from '../protocol/account'
import { isRestanteError } from '../protocol/error'
import { type AdminCommand, callAdmin } from './admin-channel'
import { type Admin, createAdmin } from './core/admin'
import { Admissions } from './core/admissions'
import type { Ground } from './core/context'
import { holdRestoredJobs, releaseRestoredJobs } from './core/jobs'
import { createLocalSignals } from './local-signals'
import { readSettings, type ServiceOptions } from './settings'
import { openStore } from './store/open-store'
import { systemClock } from './system-clock'

/** What the host may ask to be done to an account. */
const order = z.discriminatedUnion('command', [
  z.object({ command: z.literal('plan'), account: z.string(), plan: z.string() }),
  z.object({ command: z.enum(['pause', 'resume', 'suspend', 'unsuspend', 'erase']), account: z.string() }),
])
export type AdminOrder = z.infer<typeof order>

/** What the host may ask to be done to all mail that waits to be sent. */
const waitingOrders = {
  hold: ({ store }: Ground) => holdRestoredJobs(store),
  'send-held': (ground: Ground) => releaseRestoredJobs(ground),
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
export const waitingCommands = (ground: Ground): Record<WaitingOrder, AdminCommand> => ({
  hold: async () => ({ jobs: await waitingOrders.hold(ground) }),
  'send-held': async () => ({ jobs: await waitingOrders['send-held'](ground) }),
})

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
  options: ServiceOptions,
  asked: { command: string },
  work: (ground: Ground) => Promise<object>,
): Promise<object> {
  const settings = readSettings(options)
  const { databaseUrl, data, plans } = settings
  const answered = databaseUrl === undefined && data !== undefined ? await askRunning(data, asked) : null
  if (answered) return answered
  const store = await openStore(settings)
  const signals = createLocalSignals()
  const ground = { store, clock: systemClock, signals, admissions: new Admissions(), settings: { plans } }
  return work(ground).finally(() => store.close())
}

/**
 * Carries out an order of the host on an account, whether a service runs or not.
 *
 * @throws RestanteError `account_not_found`, `invalid_request`. UsageError where the database cannot be opened
 */
export const administer = async (options: ServiceOptions, asked: AdminOrder) =>
  account.parse(await carryOutAnywhere(options, asked, (ground) => carryOut(createAdmin(ground), asked)))

/**
 * Holds the mail that waits to be sent, as in a database that was restored, or lets go what was held; how many mails.
 *
 * @throws UsageError where the database cannot be opened
 */
export async function administerWaiting(options: ServiceOptions, command: WaitingOrder): Promise<number> {
  const work = async (ground: Ground) => ({ jobs: await waitingOrders[command](ground) })
  return waitingAnswer.parse(await carryOutAnywhere(options, { command }, work)).jobs
}
