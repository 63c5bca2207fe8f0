import { type Command, InvalidArgumentError } from 'commander'
import type { ApiKey } from '../../protocol/records'
import { administerKeys, administerNewKey, administerRevokedKey } from '../../service/host'
import { readSettings } from '../../service/settings'
import {
  addSettingFlags,
  adminSettings,
  createOutput,
  everyPage,
  fields,
  jsonOption,
  paint,
  printable,
  serveDefaults,
  settingOptions,
} from '../base'

const scopes = ['read', 'send', 'manage'] as const
type Scope = (typeof scopes)[number]
const unitMs = { h: 3_600_000, d: 86_400_000 }

function scopesArgument(text: string): Scope[] {
  const wanted = text.split(',').map((one) => one.trim())
  const unknown = wanted.find((one) => !scopes.includes(one as Scope))
  if (unknown === undefined) return [...new Set(wanted as Scope[])]
  throw new InvalidArgumentError(
    `There is no scope ${printable(unknown, 40)}. Choose from: ${scopes.join(', ')}.`,
  )
}

/** Parses `12h`, `30d` or a date into a future time in ISO 8601. */
function expiryArgument(text: string): string {
  const [, count, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? []
  const ms = count ? Date.now() + Number(count) * unitMs[unit as 'h' | 'd'] : Date.parse(text)
  if (ms > Date.now()) return new Date(ms).toISOString()
  throw new InvalidArgumentError('Give a time in the future, such as 12h, 30d or 2030-01-31.')
}

/** Defines `restante keys …`: the API keys of an account, for the administrator of the service. */
export function define(keys: Command): void {
  keys.description('Manage the API keys of an account as the administrator. The service may run or not.')
  const add = (name: string, description: string, isDefault = false) =>
    addSettingFlags(keys.command(name, { isDefault }), serveDefaults, adminSettings)
      .description(description)
      .option(
        '--account <account>',
        'id of the account, or an address of its inboxes (default: the account of the service itself)',
      )
      .option(...jsonOption)
  add('list', 'List the keys, oldest first', true).action(list)
  add('create', 'Create a key and print it once')
    .option('--name <name>', 'name in the list', 'API key')
    .option('--scopes <scopes>', 'scopes, separated by commas: read, send, manage', scopesArgument, [
      ...scopes,
    ])
    .option('--inbox <inbox>', 'address or id of the only inbox that the key can use (default: all inboxes)')
    .option(
      '--expires <time>',
      'when the key stops working: 12h, 30d or a date (default: never)',
      expiryArgument,
    )
    .action(create)
  add('revoke', 'Revoke a key at once').argument('<key>', 'id of the key, from the list').action(revoke)
}

type Options = Record<string, unknown> & { account?: string; json?: boolean }

const placeOf = (flags: Options) => readSettings(settingOptions(flags, serveDefaults))

function stateOf({ revoked_at, expires_at }: ApiKey): string {
  if (revoked_at !== null) return paint('red', `revoked ${revoked_at}`)
  if (expires_at === null) return 'does not expire'
  const isExpired = Date.parse(expires_at) <= Date.now()
  return isExpired ? paint('red', `expired ${expires_at}`) : `expires ${expires_at}`
}

async function list(flags: Options): Promise<void> {
  const [place, output] = [placeOf(flags), createOutput(flags.json)]
  const all = everyPage(
    (cursor) => administerKeys(place, flags.account, cursor),
    (page): ApiKey[] => page.keys,
  )
  for await (const key of all) {
    const reach = key.inbox_id === null ? 'all inboxes' : key.inbox_id
    const hint = key.hint === null ? '' : `…${key.hint}`
    output.tell(
      `${key.id}  ${hint}  ${key.scopes.join(',')}  ${reach}  ${stateOf(key)}  ${paint('dim', printable(key.name))}`,
      key,
    )
  }
}

interface CreateOptions extends Options {
  name: string
  scopes: Scope[]
  inbox?: string
  expires?: string
}

async function create({ name, scopes, inbox, expires, ...flags }: CreateOptions): Promise<void> {
  const { account } = flags
  const key = await administerNewKey(placeOf(flags), { account, name, scopes, inbox, expires_at: expires })
  const shown = fields({
    key: paint('bold', key.api_key),
    id: key.id,
    scopes: key.scopes.join(', '),
    inbox: key.inbox_id ?? 'all inboxes',
    expires: key.expires_at ?? 'never',
  })
  createOutput(flags.json).tell(`${shown}\n\nSave the key: it is not shown again.`, key)
}

async function revoke(key: string, flags: Options): Promise<void> {
  await administerRevokedKey(placeOf(flags), flags.account, key)
  createOutput(flags.json).tell(`${printable(key)} is revoked.`, { revoked: key })
}
