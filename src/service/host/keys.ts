import { z } from 'zod'
import { apiKey, inboundProvider, newApiKey } from '../../protocol/records'
import { type ChangePorts, createKey, listKeys, revokeKey } from '../accounts'
import { createSecrets, refuse, type Secrets } from '../base'
import { findAccountId } from '../inbound'
import type { AdminCommand } from './admin-channel'
import { carryOutAnywhere, type Place } from './anywhere'
import { findSecret } from './secret-file'

const order = z.object({
  /** Account whose inboxes it delivers to; undefined for all accounts. */
  account: z.string().optional(),
  name: z.string(),
  trusted: z.boolean(),
  provider: inboundProvider.optional(),
})
/** Order of the administrator for a key that delivers incoming messages. */
export type InboundKeyOrder = z.infer<typeof order>

/** Ports for making keys. */
export type KeyPorts = ChangePorts & { secrets: Secrets }

/** Returns the id of the home account. @throws ServiceError `account_not_found` */
export async function homeOf({ store }: Pick<KeyPorts, 'store'>): Promise<string> {
  const row = await store.db.selectFrom('host').select('value').where('key', '=', 'home').executeTakeFirst()
  if (row) return (JSON.parse(row.value) as { tenantId: string }).tenantId
  throw refuse('account_not_found', 'The service was never started: start it once.')
}

async function makeInboundKey(ports: KeyPorts, { account, ...asked }: InboundKeyOrder) {
  const account_id = account === undefined ? await homeOf(ports) : await findAccountId(ports, account)
  return createKey(ports, { ...asked, account_id, scopes: ['inbound'], everywhere: account === undefined })
}

/** Command that makes such a key, for the administrator channel. */
export const inboundKeyCommands = (ports: KeyPorts): Record<'inbound-key', AdminCommand> => ({
  'inbound-key': (request) => makeInboundKey(ports, order.parse(request)),
})

/**
 * Makes a key that delivers incoming messages, whether a service runs or not.
 *
 * @throws RestanteError `account_not_found`, `key_limit_reached`. UsageError if the database cannot be opened
 */
export async function administerInboundKey(
  place: Place & Parameters<typeof findSecret>[0],
  asked: InboundKeyOrder,
) {
  const request = { command: 'inbound-key', ...asked }
  const answer = await carryOutAnywhere(place, request, (ground) =>
    makeInboundKey({ ...ground, secrets: createSecrets(findSecret(place)) }, asked),
  )
  return newApiKey.parse(answer)
}

const account = z.string().optional()
const keyOrder = z.discriminatedUnion('command', [
  z.object({
    command: z.literal('keys-create'),
    account,
    name: z.string(),
    scopes: z.array(z.enum(['read', 'send', 'manage'])).min(1),
    /** Address or id of the only inbox that the key opens. */
    inbox: z.string().optional(),
    expires_at: z.iso.datetime().optional(),
  }),
  z.object({ command: z.literal('keys-list'), account, cursor: z.string().optional() }),
  z.object({ command: z.literal('keys-revoke'), account, key: z.string() }),
])
/**
 * Request of the administrator to create, list or revoke API keys of an account, by default the home account.
 */
export type KeyOrder = z.infer<typeof keyOrder>
type Create = Extract<KeyOrder, { command: 'keys-create' }>

/** Maximum number of keys on one page. */
const pageKeys = 100

async function findInboxId({ store }: ChangePorts, tenantId: string, inbox: string): Promise<string> {
  const row = await store.db
    .selectFrom('inboxes')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where((rows) => rows.or([rows('id', '=', inbox), rows('address', '=', inbox.toLowerCase())]))
    .executeTakeFirst()
  if (row) return row.id
  throw refuse('not_found', `The account has no inbox ${inbox.slice(0, 320)}.`)
}

async function create(ports: KeyPorts, account_id: string, { name, scopes, inbox, expires_at }: Create) {
  const inbox_id = inbox === undefined ? undefined : await findInboxId(ports, account_id, inbox)
  return createKey(ports, { account_id, name, scopes, inbox_id, expires_at })
}

async function carryOut(ports: KeyPorts, asked: KeyOrder): Promise<object> {
  const account_id =
    asked.account === undefined ? await homeOf(ports) : await findAccountId(ports, asked.account)
  if (asked.command === 'keys-create') return create(ports, account_id, asked)
  if (asked.command === 'keys-list')
    return listKeys(ports, { account_id, limit: pageKeys, cursor: asked.cursor })
  await revokeKey(ports, { account_id, key_id: asked.key })
  return {}
}

/** Commands on API keys, for the administrator channel. */
export const keyCommands = (ports: KeyPorts): Record<KeyOrder['command'], AdminCommand> => {
  const one =
    (command: KeyOrder['command']): AdminCommand =>
    (request) =>
      carryOut(ports, keyOrder.parse({ ...request, command }))
  return {
    'keys-create': one('keys-create'),
    'keys-list': one('keys-list'),
    'keys-revoke': one('keys-revoke'),
  }
}

const keysPage = z.object({ keys: z.array(apiKey), next_cursor: z.string().nullable() })

type KeyPlace = Place & Parameters<typeof findSecret>[0]

const ask = (place: KeyPlace, asked: KeyOrder) =>
  carryOutAnywhere(place, asked, (ports) =>
    carryOut({ ...ports, secrets: createSecrets(findSecret(place)) }, asked),
  )

/**
 * Creates an API key, whether a service runs or not.
 *
 * @throws RestanteError `account_not_found`, `not_found`, `key_limit_reached`. UsageError if the database
 *   cannot be opened
 */
export const administerNewKey = async (place: KeyPlace, asked: Omit<Create, 'command'>) =>
  newApiKey.parse(await ask(place, { command: 'keys-create', ...asked }))

/** Lists a page of the API keys of an account, oldest first. @throws RestanteError `account_not_found` */
export const administerKeys = async (
  place: KeyPlace,
  account: string | undefined,
  cursor: string | undefined,
) => keysPage.parse(await ask(place, { command: 'keys-list', account, cursor }))

/** Revokes an API key. @throws RestanteError `account_not_found`, `not_found` */
export const administerRevokedKey = (place: KeyPlace, account: string | undefined, key: string) =>
  ask(place, { command: 'keys-revoke', account, key })
