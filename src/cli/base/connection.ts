import type { Command } from 'commander'
import { type Client, createClient } from '../../client/client'
import { Mailbox } from '../../mailbox/mailbox'
import { isRestanteError, UsageError } from '../../protocol/errors/error'
import { createOutput, jsonOption, type Output } from './output'
import { addReplaceableOption, addSecretOption } from './secret-arguments'

/** Opens the mailbox of a key. Fails soon if the service is down, unlike a mailbox, which keeps trying. */
export async function openMailbox(
  command: string,
  options: ConnectionOptions,
  inbox?: string,
): Promise<{ mailbox: Mailbox; connection: Connection }> {
  const connection = await findConnection(command, options)
  await createClient(connection).account.get({}, { retry: false, timeoutMs: 5_000 })
  return { mailbox: await Mailbox.open({ ...connection, inbox }), connection }
}

/** URL of a service and its API key, as given by flags. */
export interface ConnectionOptions {
  url?: string
  key?: string
}

/** URL of a service and its API key. */
export interface Connection {
  url: string
  apiKey: string
}

const usualUrl = 'http://127.0.0.1:4525'

export const addConnectionFlags = (command: Command): Command =>
  addSecretOption(
    addReplaceableOption(
      command,
      ['--url <url>', `address of the service (default: ${usualUrl}) [RESTANTE_URL]`],
      { variable: 'RESTANTE_URL', isSecret: false },
    ),
    '--key <key>',
    'API key. Other users of the machine can see the flag: set the variable instead. Default: the key of the service that runs in this folder',
    'RESTANTE_API_KEY',
  )

/** Returns a function that adds commands below `parent` that call the service and print JSON on request. */
export const addingTo =
  (parent: Command) =>
  (name: string, description: string, isDefault = false): Command =>
    addConnectionFlags(parent.command(name, { isDefault }))
      .description(description)
      .option(...jsonOption)

/** Call of a command: a client of its service, and its output. */
export interface Call {
  readonly client: Client
  readonly output: Output
  readonly json: boolean
}

/** Returns the action of a command that calls the service. `work` also gets the arguments and the options. */
export const calling =
  <Given extends unknown[]>(work: (call: Call, ...given: Given) => Promise<void>) =>
  async (...all: unknown[]): Promise<void> => {
    const command = all.pop() as Command
    const options = all.at(-1) as ConnectionOptions & { json?: boolean }
    const name = command.name() === 'list' ? '' : ` ${command.name()}`
    const client = await callService(`${command.parent?.name()}${name}`, options)
    await work({ client, output: createOutput(options.json), json: options.json === true }, ...(all as Given))
  }

/** Collects the values of an option that can be repeated. */
export const collect = (value: string, before: string[] = []): string[] => [...before, value]

/** Returns the key of the flag or the environment; an empty one counts as none. */
const givenKey = ({ key }: ConnectionOptions) => key || process.env.RESTANTE_API_KEY || undefined
const givenUrl = ({ url }: ConnectionOptions) => url || process.env.RESTANTE_URL || undefined

/** Asks the service on the local data folder for its URL and key, which only the folder's owner gets. */
export async function askHere(): Promise<(Connection & { smtp: string }) | null> {
  const { callAdmin } = await import('../../service/admin/admin-channel')
  try {
    const { url, smtp, api_key } = await callAdmin(process.env.RESTANTE_DATA || '.restante', {
      command: 'home',
    })
    return typeof url === 'string' ? { url, apiKey: String(api_key), smtp: String(smtp) } : null
  } catch (error) {
    if (isRestanteError(error)) return null
    throw error
  }
}

/**
 * Returns the connection of a command: the key and URL of the flags or the environment. Without either, that
 * of the service that runs in this folder.
 *
 * @throws UsageError `key_missing`
 */
async function findConnection(command: string, options: ConnectionOptions): Promise<Connection> {
  const apiKey = givenKey(options)
  const url = givenUrl(options)
  if (apiKey !== undefined) return { url: url ?? usualUrl, apiKey }
  const here = url === undefined ? await askHere() : null
  if (here) return { url: here.url, apiKey: here.apiKey }
  throw new UsageError(
    'key_missing',
    `Give the API key: RESTANTE_API_KEY=rst_… restante ${command}. restante dev prints a key. Commands in its folder need none.`,
  )
}

/** Bounds of retries: short, since a person waits at the terminal. */
const retry = { totalMs: 1_500 }

/** Creates a typed client for an account. @throws UsageError `key_missing` */
export async function callService(command: string, options: ConnectionOptions): Promise<Client> {
  const connection = await findConnection(command, options)
  const { createClient } = await import('../../client/client')
  return createClient({ ...connection, retry, timeoutMs: 30_000 })
}
