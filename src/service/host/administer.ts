import { z } from 'zod'
import { UsageError } from '../../protocol/errors'
import { type Account, account } from '../../protocol/records'
import { type ChangePorts, verifyOperator } from '../accounts'
import { minuteMs } from '../base'
import type { EraseSweeper } from '../erasure'
import { createMailParser } from '../inbound'
import { createJobRunner, holdRestoredJobs, releaseRestoredJobs } from '../jobs'
import { beginLogEpoch } from '../log'
import { createResolver } from '../net'
import type { Logger } from '../ports'
import {
  createThreads,
  type EmbeddingSettings,
  embedByJob,
  openEndpoint,
  openPgvector,
} from '../search/semantic'
import { type BlobSettings, openBlobs } from '../store'
import { type Admin, createAdmin, eachAccount } from './admin'
import { type AdminCommand, callAdmin } from './admin-channel'
import { carryOutAnywhere, type Place } from './anywhere'
import { type MovedBlobs, moveBlobs } from './move-blobs'
import { type Reindexed, reindex } from './reindex'
import { type OnReparsed, type Reparsed, type ReparsePorts, reparse } from './reparse'

/** Order of the administrator for an account. */
const order = z.discriminatedUnion('command', [
  z.object({ command: z.literal('plan'), account: z.string(), plan: z.string() }),
  z.object({ command: z.enum(['pause', 'resume', 'suspend', 'unsuspend', 'erase']), account: z.string() }),
])
type AdminOrder = z.infer<typeof order>

/** Orders of the administrator for all messages that wait to be sent. */
const waitingOrders = {
  async hold({ store }: ChangePorts) {
    const jobs = await holdRestoredJobs(store)
    await beginLogEpoch(store)
    return jobs
  },
  'send-held': (ground: ChangePorts) => releaseRestoredJobs(ground),
}
export type WaitingOrder = keyof typeof waitingOrders
const waitingAnswer = z.object({ jobs: z.number() })

const carryOut = (admin: Admin, asked: AdminOrder) =>
  asked.command === 'plan' ? admin.plan(asked.account, asked.plan) : admin[asked.command](asked.account)

/** Commands on accounts, for the administrator channel. */
export const accountCommands = (
  ports: ChangePorts,
  admin: Admin,
): Record<AdminOrder['command'] | 'accounts', AdminCommand> => {
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
    async accounts(_request, tell) {
      await eachAccount(ports, tell)
      return {}
    },
  }
}

/** Commands on waiting messages, for the administrator channel. */
export const waitingCommands = (ground: ChangePorts): Record<WaitingOrder, AdminCommand> => ({
  hold: async () => ({ jobs: await waitingOrders.hold(ground) }),
  'send-held': async () => ({ jobs: await waitingOrders['send-held'](ground) }),
})

const reparseOrder = z.object({ account: z.string().optional() })
const reparseAnswer = z.object({ read: z.number(), unread: z.number() })
const reparseProgress = reparseAnswer.extend({ seen: z.number() })

/** Command that parses failed messages again, for the administrator channel. */
export const reparseCommands = (ports: ReparsePorts): Record<'reparse', AdminCommand> => ({
  reparse: (request, tell) => reparse(ports, reparseOrder.parse(request).account, tell),
})

const reindexAnswer = z.object({ messages: z.number(), embedded: z.number() })

/** Command that embeds messages again, for the administrator channel. */
export const reindexCommands = (
  ground: ChangePorts,
  isClosing: () => boolean,
): Record<'reindex', AdminCommand> => ({
  reindex: (request, tell) =>
    reindex(ground, reparseOrder.parse(request).account, { onProgress: tell, isClosing }),
})

const movedAnswer = z.object({ moved: z.number(), damaged: z.number() })

/** Command that moves large messages to the bucket, for the administrator channel. */
export const moveCommands = (
  ports: ChangePorts,
  place: BlobSettings,
  isClosing: () => boolean,
): Record<'move-blobs', AdminCommand> => ({
  'move-blobs': (_request, tell) => moveBlobs(ports, place, tell, isClosing),
})

/** Command that a backup sends to a running service, for the administrator channel. */
export const backupCommands = (eraser: EraseSweeper): Record<string, AdminCommand> => ({
  async 'hold-blobs'({ for_ms }) {
    await eraser.hold(Math.min(Math.max(Number(for_ms) || 0, 0), 10 * minuteMs))
    return {}
  },
})

/**
 * Runs an order for an account, whether a service runs or not.
 *
 * @throws RestanteError `account_not_found`, `invalid_request`. UsageError if the database cannot be opened
 */
export const administer = async (place: Place, asked: AdminOrder) =>
  account.parse(await carryOutAnywhere(place, asked, (ground) => carryOut(createAdmin(ground), asked)))

/** Lists the accounts, oldest first. @throws UsageError if the database cannot be opened */
export async function administerAccounts(place: Place, onAccount: (one: Account) => void): Promise<void> {
  const tell = (facts: object) => onAccount(account.parse(facts))
  await carryOutAnywhere(place, { command: 'accounts' }, (ground) => eachAccount(ground, tell), tell)
}

/**
 * Holds all messages that wait to be sent, as after a restore, or releases them. Returns their number.
 *
 * @throws UsageError if the database cannot be opened
 */
export async function administerWaiting(place: Place, command: WaitingOrder): Promise<number> {
  const work = async (ground: ChangePorts) => ({ jobs: await waitingOrders[command](ground) })
  return waitingAnswer.parse(await carryOutAnywhere(place, { command }, work)).jobs
}

/**
 * Parses stored messages again whose parsing failed, of one account or of all.
 *
 * @throws RestanteError `account_not_found`. UsageError if the database cannot be opened
 */
export async function administerReparse(
  place: Place & BlobSettings,
  account?: string,
  onProgress: OnReparsed = () => {},
): Promise<Reparsed> {
  const tell = (facts: object) => onProgress(reparseProgress.parse(facts))
  const work = async (ground: ChangePorts) => {
    const blobs = await openBlobs(ground.store, place)
    const parser = createMailParser()
    return reparse({ ...ground, parser, blobs }, account, tell).finally(() => parser.close())
  }
  return reparseAnswer.parse(
    await carryOutAnywhere(place, { command: 'reparse', ...(account && { account }) }, work, tell),
  )
}

/**
 * Moves large messages from the database or data folder to the bucket, whether a service runs or not.
 *
 * @throws UsageError `no_bucket`, or if the database cannot be opened. BucketError if the bucket is away
 */
export async function administerMove(
  place: Place & BlobSettings,
  onProgress: (counts: MovedBlobs) => void = () => {},
): Promise<MovedBlobs> {
  const tell = (facts: object) => onProgress(movedAnswer.parse(facts))
  const work = (ground: ChangePorts) => moveBlobs(ground, place, tell)
  return movedAnswer.parse(await carryOutAnywhere(place, { command: 'move-blobs' }, work, tell))
}

/** Logs errors of jobs to standard error. */
const plainLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error: (facts, message) => console.error(message, (facts as { error?: unknown }).error),
}

/** Runs the embedding queue in this process. */
async function workEmbeddings(place: EmbeddingSettings, ground: ChangePorts) {
  const threads = createThreads()
  const endpoint = await openEndpoint(place, createResolver())
  const { pgvector } = await openPgvector(ground.store)
  const ports = { ...ground, logger: plainLogger, threads, endpoint, pgvector }
  const runner = createJobRunner({
    ports,
    queue: 'embeddings',
    concurrency: 1,
    work: (job, signal) => embedByJob(ports, job, signal),
  })
  return { close: () => runner.close().finally(() => threads.close()) }
}

/**
 * Trains the embeddings and embeds messages again, of one account or of all. Without a running service this
 * process does the work; with PostgreSQL it helps the running ones.
 *
 * @throws RestanteError `account_not_found`. UsageError if the database cannot be opened
 */
export async function administerReindex(
  place: Place & EmbeddingSettings,
  account?: string,
  onProgress: (progress: Reindexed) => void = () => {},
): Promise<Reindexed> {
  const tell = (facts: object) => onProgress(reindexAnswer.parse(facts))
  const work = async (ground: ChangePorts) => {
    const worker = await workEmbeddings(place, ground)
    return reindex(ground, account, { onProgress: tell }).finally(() => worker.close())
  }
  return reindexAnswer.parse(
    await carryOutAnywhere(place, { command: 'reindex', ...(account && { account }) }, work, tell),
  )
}

const operatorOrder = z.object({ email: z.email().max(254) })
const linkAnswer = z.object({ url: z.string() })

type OperatorPorts = ChangePorts & { settings: { domain?: string } }

/** Command that verifies the address of an operator, for the administrator channel. */
export const operatorCommands = (ports: OperatorPorts): Record<'verify-operator', AdminCommand> => ({
  'verify-operator': (request) => verifyOperator(ports, operatorOrder.parse(request).email),
})

/**
 * Verifies the address of an operator, whether a service runs or not.
 *
 * @throws RestanteError `not_found`, `invalid_request`. UsageError if the arguments are invalid or the
 *   database cannot be opened
 */
export async function administerOperator(place: Place & { domain: string }, email: string) {
  const read = operatorOrder.safeParse({ email })
  if (!read.success)
    throw new UsageError('invalid_arguments', `${email.slice(0, 254)} is not an email address.`)
  const { domain } = place
  return operatorOrder.parse(
    await carryOutAnywhere(place, { command: 'verify-operator', email }, (ground) =>
      verifyOperator({ ...ground, settings: { domain } }, email),
    ),
  )
}

/**
 * Gets a sign-in link to the console, which works once, from the service that runs on the data folder.
 *
 * @throws RestanteError `service_not_running`
 */
export const readConsoleLink = async (data: string): Promise<{ url: string }> =>
  linkAnswer.parse(await callAdmin(data, { command: 'console-link' }))
