import { type Command, InvalidArgumentError } from 'commander'
import type { ApiKey } from '../../protocol/records/console'
import { administer } from '../../service/admin/administer'
import { createOutput, fields, paint, printable } from '../base/output'
import { everyPage, tellRows } from '../base/pages'
import { addingTo, type Flags, placeOf } from '../base/setting-flags'

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
  const addCommand = addingTo(keys)
  const add = (...named: Parameters<typeof addCommand>) =>
    addCommand(...named).option(
      '--account <account>',
      'id of the account, or an address of its inboxes (default: the account of the service itself)',
    )
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

type Options = Flags & { account?: string }

function stateOf({ revoked_at, expires_at }: Pick<ApiKey, 'revoked_at' | 'expires_at'>): string {
  if (revoked_at !== null) return paint('red', `revoked ${revoked_at}`)
  if (expires_at === null) return 'does not expire'
  const isExpired = Date.parse(expires_at) <= Date.now()
  return isExpired ? paint('red', `expired ${expires_at}`) : `expires ${expires_at}`
}

function line({ id, hint, scopes, inbox_id, name, ...key }: ApiKey): string {
  const shownHint = hint === null ? '' : `…${hint}`
  const reach = inbox_id ?? 'all inboxes'
  return `${id}  ${shownHint}  ${scopes.join(',')}  ${reach}  ${stateOf(key)}  ${paint('dim', printable(name))}`
}

async function list(flags: Options): Promise<void> {
  const { account, json = false } = flags
  const place = placeOf(flags)
  const all = everyPage(
    (cursor) => administer(place, 'keys-list', { account, cursor }),
    (page): ApiKey[] => page.keys,
  )
  await tellRows({ output: createOutput(json), json }, all, line)
}

interface CreateOptions extends Options {
  name: string
  scopes: Scope[]
  inbox?: string
  expires?: string
}

async function create({ name, scopes, inbox, expires, ...flags }: CreateOptions): Promise<void> {
  const { account } = flags
  const key = await administer(placeOf(flags), 'keys-create', {
    account,
    name,
    scopes,
    inbox,
    expires_at: expires,
  })
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
  await administer(placeOf(flags), 'keys-revoke', { account: flags.account, key })
  createOutput(flags.json).tell(`${printable(key)} is revoked.`, { revoked: key })
}
