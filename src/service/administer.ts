import { z } from 'zod'
import { account } from '../protocol/account'
import { isRestanteError } from '../protocol/error'
import { type AdminCommand, callAdmin } from './admin-channel'
import { type Admin, createAdmin } from './core/admin'
import { Admissions } from './core/admissions'
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

/** Null where no service runs on the folder. */
const askRunning = (folder: string, asked: AdminOrder) =>
  callAdmin(folder, asked).catch((error) => {
    if (isRestanteError(error) && error.code === 'service_not_running') return null
    throw error
  })

/**
 * Carries out an order of the host, whether a service runs or not: through the channel of the one that runs on the
 * data folder, else on the database itself. On PostgreSQL the services that run see it with the next request, at
 * SMTP within a second, on open sockets and in the queues within five.
 *
 * @throws RestanteError `account_not_found`, `invalid_request`. UsageError where the database cannot be opened
 */
export async function administer(options: ServiceOptions, asked: AdminOrder) {
  const settings = readSettings(options)
  const { databaseUrl, data } = settings
  const answered = databaseUrl === undefined && data !== undefined ? await askRunning(data, asked) : null
  if (answered) return account.parse(answered)
  const store = await openStore(settings)
  const ground = {
    store,
    clock: systemClock,
    signals: createLocalSignals(),
    admissions: new Admissions(),
    settings: { plans: settings.plans },
  }
  return carryOut(createAdmin(ground), asked).finally(() => store.close())
}
