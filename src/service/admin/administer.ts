import { isRestanteError, UsageError } from '../../protocol/errors/error'
import { KnownRecipients } from '../accounts/known-recipients'
import { findSecret } from '../base/secret-file'
import { createSecrets } from '../base/secrets'
import { systemClock } from '../base/time'
import { joinConnections } from '../connections/connections'
import { joinConsumers } from '../consumers/changes'
import { createMailParser } from '../inbound/mail-parser'
import { createLocalSignals } from '../log/local-signals'
import { Registry } from '../log/registry'
import type { Logger, MailParser } from '../ports'
import { joinSearch } from '../search/reindex-job'
import { openBlobs } from '../store/blobs/open-blobs'
import { openExistingStore } from '../store/open-store'
import { joinTakeover } from '../takeover/assignments'
import { type AdminHandler, callAdmin } from './admin-channel'
import {
  type AdminCommand,
  type AdminCommandName,
  type AdminInput,
  type AdminProgress,
  type AdminResult,
  adminCommands,
} from './commands'
import type { AdminPorts, Place, RunningService } from './ports'

/** Creates the registry with all modules that react to changes in lower ones. */
export function createRegistry(): Registry {
  const registry = new Registry()
  joinTakeover(registry)
  joinConsumers(registry)
  joinConnections(registry)
  joinSearch(registry)
  return registry
}

/** Returns the commands as a running service answers them on the socket of its data folder. */
export function socketCommands(service: RunningService, place: Place): Record<string, AdminHandler> {
  const openBlobs = async () => service.ports.blobs
  const ports: AdminPorts = { ...service.ports, place, openBlobs, service }
  const answering =
    ({ input, run }: AdminCommand): AdminHandler =>
    (request, tell) =>
      run(ports, input.parse(request), tell)
  return Object.fromEntries(
    Object.entries(adminCommands).map(([name, command]) => [name, answering(command as AdminCommand)]),
  )
}

/** Logs errors of jobs to standard error. */
const logger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error: (facts, message) => console.error(message, (facts as { error?: unknown }).error),
}

/** Runs a command on a database that no service answers for. Opens only the ports that it uses. */
async function runHere<T>(place: Place, work: (ports: AdminPorts) => Promise<T>): Promise<T> {
  const store = await openExistingStore(place)
  let parser: MailParser | undefined
  const ports: AdminPorts = {
    store,
    clock: store.clock ?? systemClock,
    signals: createLocalSignals(),
    registry: createRegistry(),
    knownRecipients: new KnownRecipients(),
    settings: place,
    place,
    logger,
    get secrets() {
      return createSecrets(findSecret(place))
    },
    get parser() {
      parser ??= createMailParser()
      return parser
    },
    openBlobs: () => openBlobs(store, place),
    service: null,
  }
  return work(ports)
    .finally(() => parser?.close())
    .finally(() => store.close())
}

/** Asks the service on the data folder. Returns null if none runs, or with PostgreSQL. */
async function askRunning(
  { data, databaseUrl }: Place,
  needsService: boolean,
  request: { command: string },
  tell: (progress: object) => void,
): Promise<object | null> {
  if (needsService && data === undefined)
    throw new UsageError(
      'invalid_arguments',
      'Only a service with a data folder answers this. Give the folder with --data or RESTANTE_DATA.',
    )
  if (data === undefined || (databaseUrl !== undefined && !needsService)) return null
  return callAdmin(data, request, tell).catch((error) => {
    if (!needsService && isRestanteError(error) && error.code === 'service_not_running') return null
    throw error
  })
}

/**
 * Runs a command in the service on the data folder. If none runs, or with PostgreSQL, works on the database
 * itself. Services on PostgreSQL notice the change:
 * - for requests: with the next one
 * - at SMTP: within a second
 * - on open sockets and in the queues: within five seconds
 *
 * @throws RestanteError of the command, such as `account_not_found`. UsageError `invalid_arguments`,
 *   `no_database` if there is none, or an error of opening it
 */
export async function administer<Name extends AdminCommandName>(
  place: Place,
  name: Name,
  input: AdminInput<Name>,
  onProgress: (progress: AdminProgress<Name>) => void = () => {},
): Promise<AdminResult<Name>> {
  const command = adminCommands[name] as AdminCommand
  const asked = command.input.safeParse(input)
  if (!asked.success) throw new UsageError('invalid_arguments', asked.error.issues[0]!.message)
  const tell = (progress: object) => onProgress(command.progress?.parse(progress) as AdminProgress<Name>)
  const request = { ...asked.data, command: name }
  const answered = await askRunning(place, command.needsService === true, request, tell)
  const answer = answered ?? (await runHere(place, (ports) => command.run(ports, asked.data, tell)))
  return command.result.parse(answer) as AdminResult<Name>
}
